import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TenantRole } from '../nodes/embedded/tenant-role.js'

/** The role of what the gateway asks for itself. */
export const OWN_ROLE = 'own'

/**
 * Writes down who may what in the engine, before it is opened: chdb takes roles from a file of settings alone. Its one user
 * has them all, and a session takes one before it reads for a tenant. Such a role reads the tables of its tenant; it sees no
 * other database, nothing of `system`, and has no rights to files, addresses and other servers.
 * @param folder the engine's own
 * @returns the path of the file
 */
export function writeAccess(folder: string, roles: readonly TenantRole[]): string {
  const path = join(folder, 'sluice-access.xml')
  const xml = accessXml(path, roles)
  // On a disk that is full one that is there already is good enough.
  if (textOf(path) !== xml) writeFileSync(path, xml, { mode: 0o600 })
  return path
}

function accessXml(path: string, roles: readonly TenantRole[]): string {
  const granted = [OWN_ROLE, ...roles.map(({ name }) => name)]
  const role = ({ name, prefixes }: TenantRole) =>
    `<${name}><grants>${prefixes.map((it) => query(`GRANT SELECT ON ${it}*.*`)).join('')}</grants></${name}>`
  return `<clickhouse>
  <users_config>${escaped(path)}</users_config>
  <profiles><default/></profiles>
  <quotas><default/></quotas>
  <roles>
    <${OWN_ROLE}><grants>${query('GRANT ALL ON *.*')}</grants></${OWN_ROLE}>
    ${roles.map(role).join('\n    ')}
  </roles>
  <users>
    <default>
      <password/>
      <networks><ip>::/0</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants>${granted.map((it) => query(`GRANT ${it}`)).join('')}</grants>
      <databases>
        <database name="system">
          <table name=""><filter>has(currentRoles(), '${OWN_ROLE}')</filter></table>
          <table name="one"><filter>1</filter></table>
        </database>
      </databases>
    </default>
  </users>
</clickhouse>
`
}

const query = (sql: string): string => `<query>${sql}</query>`

function escaped(text: string): string {
  return text.replace(/[<>&]/g, (it) => `&#${it.charCodeAt(0)};`)
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // it is written now, or what is wrong is told then
  }
}
