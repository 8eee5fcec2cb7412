import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const DEADLINE_MS = 60_000

/** A server of a test, in a folder of its own. */
export interface TestProcess {
  readonly port: number
  readonly pid: number
  /** As a power cut: SIGKILL. Fulfils when it is gone. */
  kill(): Promise<void>
  /** SIGSTOP: its port still takes connections, and nobody answers. */
  pause(): void
  /** SIGCONT. */
  resume(): void
  /** Kills it, if it runs, and starts it over the same files and ports. */
  restart(): Promise<void>
  /** Kills it and removes its files. */
  close(): Promise<void>
}

export interface TestClickHouse extends TestProcess {
  readonly url: string
  readonly user: string
  readonly password: string
  /** Runs SQL past every node, for what a test wants to see; the answer is TSV. */
  sql(query: string): Promise<string>
  /** What nodes may do from now on, with these credentials; `{}` is all. */
  admit(access: TestAccess): Promise<void>
}

/** As whoever runs a server lets the gateway in. */
export interface TestAccess {
  /** Instead of the one that {@link TestClickHouse} has. */
  readonly password?: string
  /** From where alone. */
  readonly ip?: string
  /** The setting of its profile. */
  readonly readonly?: 1 | 2
  /** The databases that it may use, of all but `system`. */
  readonly database?: string
}

export interface TestClickHouseOptions {
  /** Where replicas agree. */
  readonly zooKeeper?: TestProcess
  /** XML for the user's profile: settings of all queries. */
  readonly profile?: string
  /** XML for `<merge_tree>`. */
  readonly mergeTree?: string
}

const USER = 'sluice'
const PASSWORD = 'a-password-of-tests'
/** Whom tests run SQL as. */
const TESTER = 'tester'

/**
 * Starts Debian's ClickHouse (18.16) and waits until it answers.
 * @throws Error that says what to install, where it is not there
 */
export async function startClickHouse(options: TestClickHouseOptions = {}): Promise<TestClickHouse> {
  const binary = installed('/usr/sbin/clickhouse-server', 'clickhouse-server')
  const folder = mkdtempSync(join(tmpdir(), 'sluice-clickhouse-'))
  const [port, tcpPort, interserverPort] = await freePorts(3)
  const { zooKeeper, profile = '', mergeTree = '' } = options
  for (const name of ['data', 'tmp', 'files', 'schemas']) mkdirSync(join(folder, name))
  writeFileSync(
    join(folder, 'config.xml'),
    `<yandex>
      <logger><level>warning</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
      <http_port>${port}</http_port><tcp_port>${tcpPort}</tcp_port>
      <interserver_http_port>${interserverPort}</interserver_http_port>
      <interserver_http_host>127.0.0.1</interserver_http_host>
      <listen_host>127.0.0.1</listen_host>
      <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path>
      <user_files_path>${folder}/files/</user_files_path><format_schema_path>${folder}/schemas/</format_schema_path>
      <users_config>users.xml</users_config>
      <default_profile>default</default_profile><default_database>default</default_database>
      <mark_cache_size>67108864</mark_cache_size><keep_alive_timeout>10</keep_alive_timeout>
      <max_concurrent_queries>100</max_concurrent_queries>
      <timezone>America/New_York</timezone>
      <merge_tree>${mergeTree}</merge_tree>
      ${
        zooKeeper
          ? `<zookeeper><node><host>127.0.0.1</host><port>${zooKeeper.port}</port></node>
             <session_timeout_ms>10000</session_timeout_ms></zookeeper>`
          : ''
      }
    </yandex>`,
  )
  const setUsers = ({ password = PASSWORD, ip = '127.0.0.1', readonly, database }: TestAccess) =>
    writeFileSync(
      join(folder, 'users.xml'),
      `<yandex>
        <profiles><default>${profile}</default><nodes>${profile}<readonly>${readonly ?? 0}</readonly></nodes></profiles>
        <users>
          <${USER}><password>${password}</password><networks><ip>${ip}</ip></networks>
            <profile>nodes</profile><quota>default</quota>
            ${database === undefined ? '' : `<allow_databases><database>${database}</database></allow_databases>`}</${USER}>
          <${TESTER}><password/><networks><ip>127.0.0.1</ip></networks>
            <profile>default</profile><quota>default</quota></${TESTER}>
        </users>
        <quotas><default/></quotas>
      </yandex>`,
    )
  setUsers({})
  const url = `http://127.0.0.1:${port}`
  const sql = async (query: string) => {
    const headers = { 'X-ClickHouse-User': TESTER }
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: query,
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text.trimEnd()
  }
  const started = await run(folder, port ?? 0, [binary, `--config-file=${folder}/config.xml`], async () => {
    // With ZooKeeper it is ready when both have met: on a busy machine the first tries fail.
    await sql(zooKeeper ? `SELECT count() FROM system.zookeeper WHERE path = '/'` : 'SELECT 1')
    return true
  })
  const admit = async (access: TestAccess) => {
    setUsers(access)
    await sql('SYSTEM RELOAD CONFIG')
  }
  return Object.assign(started, { url, user: USER, password: PASSWORD, sql, admit })
}

/**
 * Starts Debian's ZooKeeper alone and waits until it answers.
 * @throws Error that says what to install, where it is not there
 */
export async function startZooKeeper(): Promise<TestProcess> {
  installed('/usr/share/java/zookeeper.jar', 'zookeeper')
  const folder = mkdtempSync(join(tmpdir(), 'sluice-zookeeper-'))
  const [port = 0] = await freePorts(1)
  const lines = [`dataDir=${folder}/data`, `clientPort=${port}`, 'clientPortAddress=127.0.0.1', 'tickTime=500']
  const quick = ['admin.enableServer=false', '4lw.commands.whitelist=ruok', 'maxClientCnxns=0']
  writeFileSync(join(folder, 'zoo.cfg'), [...lines, ...quick].join('\n'))
  const log = ['-Dlog4j.defaultInitOverride=true', '-Dzookeeper.log.threshold=OFF', '-Dzookeeper.forceSync=no']
  const main = ['-cp', '/usr/share/java/zookeeper.jar', 'org.apache.zookeeper.server.ZooKeeperServerMain']
  const java = ['java', '-Xmx128m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', ...log, ...main]
  return run(folder, port, [...java, join(folder, 'zoo.cfg')], () => isOk(port))
}

/** ZooKeeper's own question whether it serves. */
function isOk(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('ruok'))
    socket.setTimeout(500, () => socket.destroy())
    socket.on('data', (text) => resolve(text.toString() === 'imok'))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(false))
  })
}

async function run(
  folder: string,
  port: number,
  command: readonly string[],
  isReady: () => Promise<boolean>,
): Promise<TestProcess> {
  let child: ChildProcess | undefined
  let said = ''
  const start = async () => {
    // It ends with this process, however that ends: also where nothing here can clean up.
    child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder })
    child.stderr?.on('data', (text) => {
      said = `${said}${text}`.slice(-2000)
    })
    const sinceMs = performance.now()
    while (!(await isReady().catch(() => false))) {
      const isLate = performance.now() - sinceMs > DEADLINE_MS
      if (!isLate && child.exitCode === null && child.signalCode === null) await sleep(20)
      else throw new Error(`${command[0]} did not start: ${said || 'it does not answer'}`)
    }
  }
  const kill = async () => {
    const it = child
    if (!it || it.exitCode !== null || it.signalCode !== null) return
    const gone = new Promise((resolve) => it.once('exit', resolve))
    it.kill('SIGKILL')
    await gone
  }
  const close = async () => {
    process.off('exit', remove)
    await kill()
    remove()
  }
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.on('exit', remove)
  try {
    await start()
  } catch (error) {
    await close()
    throw error
  }
  return {
    port,
    get pid() {
      return child?.pid ?? 0
    },
    kill,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    restart: async () => {
      await kill()
      await start()
    },
    close,
  }
}

function installed(path: string, name: string): string {
  if (spawnSync('test', ['-e', path]).status === 0) return path
  throw new Error(`${path} is not there: install Debian's package (apt-get install -y ${name}); .ci/run does so`)
}

/** Ports that nobody listened on a moment ago, all different. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  return Promise.all(
    servers.map(async (server) => {
      const address = server.address()
      await new Promise((resolve) => server.close(resolve))
      return typeof address === 'object' && address ? address.port : 0
    }),
  )
}
