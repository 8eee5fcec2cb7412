import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, it } from 'vitest'
import { OMITTABLE, runDriver, runOf } from '../src/driver.js'
import { globFilter, loadTable, specTable } from '../src/index.js'
import { entriesOf } from '../src/run/run-case.js'
import { realClock } from './real-clock.js'

const spec = (name: string): string => readFileSync(new URL(name, specTable('retry-cases')), 'utf8')
const doc = spec('driver.md')
const blocks = (language: string): string[] =>
  [...doc.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text)

const report = fileURLToPath(new URL('../.report/', import.meta.url))
mkdirSync(report, { recursive: true })
const folder = mkdtempSync(join(report, 'doc-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const python = spawnSync('python3', ['--version']).status === 0

describe('spec/driver.md', () => {
  it.skipIf(!python && process.env.CI !== 'true')(
    'its example passes its first row, and speaks the protocol',
    async () => {
      const [example = ''] = blocks('python')
      expect(example.split('\n').length).toBeLessThan(40)
      writeFileSync(join(folder, 'driver.py'), example)
      const { driver, suites } = await runDriver({
        command: 'python3',
        args: ['driver.py'],
        cwd: folder,
        clock: realClock,
        tables: [loadTable(specTable('retry-cases'))],
        filter: globFilter({ run: ['r1-throttle-patch', 'r5-body-before-attempts'] }),
      })
      expect(driver.language).toBe('python')
      const verdicts = suites[0]?.result.results.map(({ id, verdict }) => [id, verdict])
      expect(Object.fromEntries(verdicts ?? [])).toEqual({
        'retry-cases/r1-throttle-patch': 'passed',
        'retry-cases/r5-body-before-attempts': 'failed',
      })
    },
  )

  it('its question of backoff-scenarios is a row of the table, as a driver is asked it', () => {
    const [, , asked = ''] = blocks('json')
    const { cmd, seq, ...message } = JSON.parse(asked)
    const entry = entriesOf(loadTable(specTable('backoff-scenarios'))).find(({ row }) => row.id === message.case.id)
    expect(entry && runOf(entry, [])).toEqual(message)
    expect([cmd, seq]).toEqual(['run', expect.any(Number)])
  })

  it('its question of ingest-scenarios is a row of the table, as a driver is asked it', () => {
    const [, , , , asked = ''] = blocks('json')
    const { cmd, seq, ...message } = JSON.parse(asked)
    const entry = entriesOf(loadTable(specTable('ingest-scenarios'))).find(({ row }) => row.id === message.case.id)
    expect(entry && runOf(entry, [])).toEqual(message)
    expect([cmd, seq]).toEqual(['run', expect.any(Number)])
  })

  it('its question of call-scenarios is a row of the table, with policies that are cut short', () => {
    const [asked = ''] = blocks('json')
    const { cmd, seq, ...message } = JSON.parse(asked)
    const entry = entriesOf(loadTable(specTable('call-scenarios'))).find(({ row }) => row.id === message.case.id)
    const whole = JSON.parse(JSON.stringify(entry && runOf(entry, [0])))
    const cut = (policy: object): object => ({ ...policy, ...whole.policy })
    const calls = message.case.calls.map((call: { policy: object }) => ({ ...call, policy: cut(call.policy) }))
    expect({ ...message, policy: cut(message.policy), case: { ...message.case, calls } }).toEqual(whole)
    expect([cmd, seq]).toEqual(['run', expect.any(Number)])
  })

  it.skipIf(!python && process.env.CI !== 'true').each(['call-scenarios', 'backoff-scenarios', 'ingest-scenarios'])(
    'its answer of %s is what the Python driver says',
    (suite) => {
      const at = 2 * ['call-scenarios', 'backoff-scenarios', 'ingest-scenarios'].indexOf(suite)
      const some = blocks('json').slice(at, at + 2)
      const [asked = '', told = ''] = some.map((text) => JSON.stringify(JSON.parse(text)))
      const { stdout } = spawnSync('python3', ['driver.py'], {
        cwd: fileURLToPath(new URL('drivers/python/', specTable('retry-cases'))),
        input: `${asked}\n{"cmd":"bye"}\n`,
        encoding: 'utf8',
      })
      expect(JSON.parse(stdout)).toEqual(JSON.parse(told))
    },
  )

  it('names the fields that may be omitted', () => {
    expect(doc).toContain(`Possible for ${OMITTABLE.map((field) => `\`${field}\``).join(', ')}`)
  })

  it('its messages are as the schema says', () => {
    const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
    ajv.addSchema(JSON.parse(spec('schema/driver-protocol.schema.json')), 'protocol')
    const valid = (definition: string, text: string): boolean =>
      ajv.getSchema(`protocol#/$defs/${definition}`)?.(JSON.parse(text)) === true
    const runs = blocks('json').filter((_, i) => i % 2 === 0)
    const answers = blocks('json').filter((_, i) => i % 2 === 1)
    expect(runs.map((text) => valid('run', text))).toEqual([true, true, true, true])
    expect(answers.map((text) => valid('answer', text))).toEqual([true, true, true, true])
    const [callsAnswer = '', limitAnswer = '', machineAnswer = '', answer = ''] = answers
    expect(valid('actual-of-call-scenarios', JSON.stringify(JSON.parse(callsAnswer).actual))).toBe(true)
    expect(valid('actual-of-backoff-scenarios', JSON.stringify(JSON.parse(limitAnswer).actual))).toBe(true)
    expect(valid('actual-of-ingest-scenarios', JSON.stringify(JSON.parse(machineAnswer).actual))).toBe(true)
    expect(valid('actual-of-ingest-scenarios', '{"steps":[{"state":1}]}')).toBe(false)
    expect(valid('actual-of-wire', JSON.stringify(JSON.parse(answer).actual))).toBe(true)
    expect(valid('hello', '{"cmd":"hello","protocol":1}')).toBe(true)
    expect(valid('answer', '{"seq":1}')).toBe(false)
    expect(valid('answer', '{"seq":1,"actual":{},"error":"x"}')).toBe(false)
    expect(valid('introduction', '{"name":"x","language":"x","version":"x","suites":"all"}')).toBe(false)
  })

  it('every link to a heading of its own, or of README.md, leads somewhere', () => {
    const anchors = (text: string): string[] =>
      [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replace(/ /g, '-'),
      )
    const own = [...doc.matchAll(/\]\(#([^)]+)\)/g)].map(([, id]) => id)
    const readme = [...doc.matchAll(/\]\(\.\/README\.md#([^)]+)\)/g)].map(([, id]) => id)
    expect(own.filter((id) => !anchors(doc).includes(id ?? ''))).toEqual([])
    expect(readme.filter((id) => !anchors(spec('README.md')).includes(id ?? ''))).toEqual([])
    expect(readme.length).toBeGreaterThan(0)
  })
})
