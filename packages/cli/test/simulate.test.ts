import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '@sluice/cli'
import { afterAll, describe, expect, test } from 'vitest'
import { BIN, sluice, start } from './child.js'
import { memoryWorld } from './memory-world.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-simulate-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A minute of two calls a second, half of which cores are lost for: quick to play. */
const short = {
  ...{ id: 'short', number: 99, title: 'A minute', why: 'Tests need one.', duration_s: 60 },
  server: { discipline: 'processor_sharing', cores: 2, queue: null, throttle: null, network_ms: 0 },
  work: [{ name: 'query', share: 1, mean_ms: 400, sigma: 0.5 }],
  load: { rate_per_second: 2, between: 'steps', points: [{ at_s: 0, factor: 1 }] },
  ...{ batch: null, faults: [{ at_s: 30, kind: 'cores', cores: 1 }] },
  client: {
    max_concurrent: 8,
    max_queue: 100,
    queue_timeout_ms: 60_000,
    policy: null,
    retry_budget: false,
    prior: null,
  },
  phases: { before: { from_s: 0, to_s: 30 }, lost: { from_s: 30, to_s: 60 } },
  targets: [
    { phase: 'before', statistic: 'p50_ms', max: 1000 },
    { phase: 'lost', statistic: 'ok_share', min: 0.5 },
  ],
}
const file = (name: string, json: unknown): string => {
  writeFileSync(join(folder, name), typeof json === 'string' ? json : JSON.stringify(json))
  return join(folder, name)
}
const SHORT = file('short.json', short)
/** A target that nobody reaches. */
const MISSED = file('missed.json', {
  ...short,
  id: 'missed',
  targets: [{ phase: 'before', statistic: 'p50_ms', max: 1 }],
})

const simulate = async (...argv: string[]) => {
  const { world, stdout, stderr } = memoryWorld({ argv: ['simulate', ...argv] })
  const code = await run(world)
  return { code, stdout: stdout(), stderr: stderr() }
}
const data = async (...argv: string[]) => {
  const { code, stdout, stderr } = await simulate(...argv, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

describe('list', () => {
  test('names every scenario and controller, and as JSON the files themselves', async () => {
    const { code, stdout } = await simulate('list')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ 1 {2}surge-double +11 h {2}Twice the load/m)
    expect(stdout).toMatch(/^best-fixed +the fixed limit that did best/m)
    const { scenarios, controllers } = await data('list')
    expect(scenarios[0]).toMatchObject({ id: 'surge-double', number: 1, duration_s: 39_600 })
    expect(controllers.map(({ name }: { name: string }) => name).slice(0, 3)).toEqual(['none', 'fixed', 'seed'])
  })
})

describe('run', () => {
  test('shows targets, phases and a sketch', async () => {
    const { code, stdout, stderr } = await simulate('run', SHORT, '--controller', 'seed,none')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^short: A minute; seed 1001\n\ntarget +seed +none\n/)
    expect(stdout).toMatch(/^before p50_ms ≤ 1000ms +\d+ms ✓ +\d+ms ✓$/m)
    expect(stdout).toMatch(/^lost ok_share ≥ 50\.0 % +\d+\.\d % ✓ +\d+\.\d % ✓$/m)
    expect(stdout).toMatch(/^score +1\.00 +1\.00$/m)
    expect(stdout).toMatch(/^seed +calls +ok +p50 +p99 +in server +limit$/m)
    expect(stdout).toMatch(/^none +calls +ok +p50 +p99 +in server$/m) // no limit, and no column of it
    expect(stdout).toMatch(/^limit {6}▁{60} {2}8$/m)
    expect(stdout.match(/^(in flight|p90 {6}) [▁▂▃▄▅▆▇█ ]{60,} {2}\S+ to \S+$/gm)).toHaveLength(4)
  })

  test('the same again gives the same bytes; another seed, others', async () => {
    const of = async (...more: string[]) => (await simulate('run', SHORT, ...more)).stdout
    expect(await of('--seed', '7', '--controller', 'seed,aimd')).toBe(
      await of('--seed', '7', '--controller', 'seed,aimd'),
    )
    expect(await of('--seed', '7')).not.toBe(await of('--seed', '8'))
  })

  test('JSON: each seed, mean and interval of each target, and the timeline of the first', async () => {
    const { seeds, controllers, scenario } = await data('run', SHORT, '--seeds', '3', '--controller', 'fixed:3')
    expect([scenario.id, seeds]).toEqual(['short', [1001, 1002, 1003]])
    const [{ controller, parameters, targets, plays, timeline, scores }] = controllers
    expect([controller, parameters, scores]).toEqual(['fixed:3', { limit: 3 }, [1, 1, 1]])
    expect(plays.map(({ seed }: { seed: number }) => seed)).toEqual(seeds)
    const values = plays.map(({ phases }: { phases: Record<string, { p50Ms: number }> }) => phases.before?.p50Ms)
    expect(targets[0]).toMatchObject({ phase: 'before', statistic: 'p50Ms', max: 1000, values, met: true, metSeeds: 3 })
    expect(targets[0].value.mean).toBeCloseTo((values[0] + values[1] + values[2]) / 3, 9)
    expect(targets[0].value.half).toBeGreaterThan(0)
    expect([timeline.length, timeline[0].limit, timeline.at(-1).toMs]).toEqual([60, 3, 60_000])
  })

  test('--set changes the world', async () => {
    const p50 = async (...more: string[]): Promise<number> =>
      (await data('run', SHORT, ...more)).controllers[0].plays[0].phases.lost.p50Ms
    const was = await p50()
    const withFour = await p50('--set', 'server.cores=4', '--set', 'faults[0].cores=4')
    expect(withFour).toBeLessThan(was)
    expect(await p50('--set', 'cores=4', '--set', 'faults[0].cores=4')).toBe(withFour)
    expect(await p50('--set', 'work.0.mean_ms=4')).toBeLessThan(10)
    expect(await p50('--set', 'faults=[]')).toBeLessThan(was)
  })

  test('a picture is XML with a line for each controller, an axis for each panel and both schemes', async () => {
    const svg = join(folder, 'short.svg')
    const batched = file('batched.json', {
      ...{ ...short, title: 'A <minute> & "more"', batch: { cores: 1, job_ms: 1000, cap: 4 } },
      faults: [{ at_s: 10, kind: 'batch', on: true }],
    })
    expect((await simulate('run', batched, '--controller', 'seed,none', '--svg', svg)).code).toBe(0)
    const text = readFileSync(svg, 'utf8')
    expect(text).toContain('A &#60;minute&#62; &#38; &#34;more&#34;</text>')
    expect(text).toContain('@media screen and (prefers-color-scheme:dark)')
    expect(text).not.toMatch(/NaN|undefined|null|Infinity/)
    for (const label of ['>limit (calls', '>calls in the server (2 cores)<', '>p90 latency', '>batch jobs: ', '>before<', '>lost<', '>60 s<'])
      expect(text, label).toContain(label)
    // Without a limit there is no line in the first of the four panels.
    expect(text.match(/class="line c0" d="M[\d.]+ [\d.]+L/g)).toHaveLength(4)
    expect(text.match(/class="line c1" d="M[\d.]+ [\d.]+L/g)).toHaveLength(3)
    const stack: string[] = []
    for (const [, closes, name = '', empty] of text.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
      if (closes) expect(stack.pop()).toBe(name)
      else if (!empty) stack.push(name)
    }
    expect(stack).toEqual([])
  }) // biome-ignore format: labels in one line
})

describe('compare', () => {
  const argv = ['compare', SHORT, MISSED, '--seeds', '2', '--tuning-seeds', '1', '--controllers']

  test('a table for each scenario and one of all, with the difference to one of them', async () => {
    const { code, stdout } = await simulate(...argv, 'none,fixed:1,best-fixed', '--against', 'none')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^short: A minute; seeds 1001 to 1002\n\ncontroller +score +less none +before p50_ms ≤ 1000ms +lost ok_share/,
    )
    expect(stdout).toMatch(/^none +1\.00 ± 0\.00 {2,}\d+ms ± \S+ ✓/m)
    expect(stdout).toMatch(/^fixed:1 +\d\.\d\d ± \d\.\d\d +-\d\.\d\d ± \d\.\d\d /m)
    expect(stdout).toMatch(/^best-fixed: limit \d+ /m)
    expect(stdout).toMatch(/^all 2 scenarios\n\ncontroller +score\nnone +0\.50 ± 0\.00\n/m)
  })

  test('JSON: every value, and what a tuned peer was tuned to', async () => {
    const compared = await data(...argv, 'none', '--tuned')
    expect([compared.seeds, compared.tuningSeeds]).toEqual([[1001, 1002], [1]])
    const [{ controllers }] = compared.scenarios
    const labels = controllers.map(({ controller }: { controller: string }) => controller)
    expect(labels).toEqual(['none', 'aimd (tuned)', 'gradient2 (tuned)', 'vegas (tuned)', 'gradient-probes (tuned)', 'client-throttling (tuned)'])
    expect(Object.keys(controllers[1].parameters)).toEqual(['timeoutMs', 'minLimit'])
    expect(controllers[0].targets[0].values).toHaveLength(2)
    expect(compared.overall).toHaveLength(6)
  }) // biome-ignore format: names in one line

  test('Markdown: a column for each scenario, and a heading that it leads to', async () => {
    const { stdout } = await simulate(...argv, 'none,seed', '--markdown')
    expect(stdout).toMatch(/^Reported: seeds 1001 to 1002\.\n\n\| controller \| all \| \[short\]\(#short\) \| \[missed\]\(#missed\) \|\n\|---\|---:\|---:\|---:\|\n\| none \| 0\.50 ± 0\.00 \| 1\.00 ± 0\.00 \| 0\.00 ± 0\.00 \|\n/)
    expect(stdout).toMatch(/^### short\n\n99\. A minute\. Tests need one\.\n\n\| controller \| score \|/m)
  }) // biome-ignore format: a table

  test('a missed target is 1 where that is asked for', async () => {
    const of = async (...more: string[]) =>
      (await simulate('compare', ...more, '--seeds', '1', '--controllers', 'none')).code
    expect([await of(MISSED), await of(MISSED, '--check'), await of(SHORT, '--check')]).toEqual([0, 1, 0])
    const looked = file('looked.json', { ...JSON.parse(readFileSync(MISSED, 'utf8')), report_only: true })
    expect(await of(looked, '--check')).toBe(0)
  })
})

describe('is refused, with the field, the value and what is allowed', () => {
  const changed = (name: string, change: object) => file(name, { ...short, ...change })
  test.each<[string, string[], string]>([
    ['no such scenario', ['run', 'surge-dubble'], 'there is no scenario surge-dubble; did you mean surge-double? A file is written with its ending: ./surge-dubble.json'],
    ['a number of several', ['run', '3'], 'there are several scenarios 3: start-with-baseline, start-with-nothing, start-with-prior; name one'],
    ['no such file', ['run', './none.json'], 'scenario: ./none.json cannot be read (ENOENT)'],
    ['no JSON', ['run', file('text.json', 'x')], 'text.json is not JSON: '],
    ['no object', ['run', file('list.json', '[]')], 'list.json holds no JSON object; begin with one of sluice simulate list --json'],
    ['no such field', ['run', changed('a.json', { duration: 1 })], 'a.json: duration is unknown; allowed: $schema, id, number,'],
    ['out of range', ['run', SHORT, '--set', 'server.cores=0'], 'with --set server.cores=0: server.cores is 0; allowed: an integer ≥ 1'],
    ['a fault of no kind', ['run', SHORT, '--set', 'faults[0].kind=crush'], 'faults[0].kind is "crush"; allowed: "cores", "speed", '],
    ['a fault of a kind that has no such field', ['run', SHORT, '--set', 'faults[0].factor=2'], 'faults[0].factor is unknown; allowed: at_s, '],
    ['a fault without its field', ['run', changed('b.json', { faults: [{ at_s: 1, kind: 'speed' }] })], 'b.json: faults[0].factor is missing; allowed: a number'],
    ['--set without a value', ['run', SHORT, '--set', 'server.cores'], '--set: write FIELD=VALUE, server.cores=14 say; got server.cores'],
    ['--set of a field that leads nowhere', ['run', SHORT, '--set', 'sever.cores=1'], '--set sever.cores: there is no sever; there are id, number, '],
    ['--set within null', ['run', SHORT, '--set', 'server.throttle.burst=1'], "server.throttle is null in this scenario; set all of it, as JSON: --set 'server.throttle={…}'"],
    ['--set within a number', ['run', SHORT, '--set', 'number.x=1'], '--set number.x: number is 99, and has no fields'],
    ['--set beyond a list', ['run', SHORT, '--set', 'faults[1].at_s=1'], '--set faults[1].at_s: there is no faults.1; the list has 0 to 0'],
    ['a phase beyond the end', ['run', SHORT, '--set', 'phases.lost.to_s=61'], 'phases.lost.to_s is 61; allowed: at most duration_s (60)'],
    ['a phase without length', ['run', SHORT, '--set', 'phases.lost.from_s=60'], 'phases.lost.from_s is 60; allowed: less than its to_s (60)'],
    ['a target of no phase', ['run', SHORT, '--set', 'targets[0].phase=x'], 'targets[0].phase is "x"; allowed: before, lost'],
    ['a target without a bound', ['run', changed('c.json', { targets: [{ phase: 'lost', statistic: 'calls' }] })], 'targets[0].max is missing; allowed: a max, a min, or both'],
    ['load that goes back', ['run', SHORT, '--set', 'load.points=[{"at_s":5,"factor":1},{"at_s":4,"factor":1}]'], 'load.points[1].at_s is 4; allowed: at least what is before it (5)'],
    ['shares that are not all', ['run', SHORT, '--set', 'work[0].share=0.5'], 'work: the shares together are 0.5; allowed: 1'],
    ['a policy', ['run', SHORT, '--set', 'client.policy={"max_attempts":0}'], 'client.policy.max_attempts must be an integer of at least 1; got 0'],
    ['no such controller', ['run', SHORT, '--controller', 'seet'], '--controller: there is no controller seet; did you mean seed?'],
    ['one twice', ['compare', SHORT, '--controllers', 'seed,seed'], '--controllers: seed is given twice'],
    ['a fixed limit of none', ['run', SHORT, '--controller', 'fixed:0'], '--controller: the limit of fixed must be a whole number of at least 1, as in fixed:21; got 0'],
    ['against one that does not take part', ['compare', SHORT, '--controllers', 'seed', '--against', 'none'], '--against: none does not take part; there are seed'],
    ['two scenarios of one id', ['compare', SHORT, SHORT, '--controllers', 'none'], 'there are two scenarios short; compare each once, or give a file another id'],
    ['too many lines', ['run', SHORT, '--svg', join(folder, 'x.svg'), '--controller', 'none,fixed,seed,aimd,vegas,oracle,fixed:2'], '--svg: a picture has lines for 6 controllers; name fewer than 7'],
    ['the picture over the scenario', ['run', SHORT, '--svg', SHORT], 'is the scenario itself, which the picture would replace; name another file'],
    ['seed and seeds', ['run', SHORT, '--seed', '1', '--seeds', '2'], "option '--seed <n>' cannot be used with option '--seeds <n>'"],
  ])('%s', async (_, argv, message) => {
    const { code, stdout, stderr } = await simulate(...argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^Error: /)
    expect(stderr).toContain(message)
  }) // biome-ignore format: a table
})

describe('as a process', () => {
  test('prints what run() prints, and nothing else', async () => {
    const { code, stdout, stderr } = await sluice(['simulate', 'run', SHORT])
    expect({ code, stdout, stderr }).toEqual(await simulate('run', SHORT))
  })

  test('an interrupt ends all that is played, without a word', async () => {
    const child = start(process.execPath, [BIN, 'simulate', 'run', 'creep', '--controller', 'seed,none'])
    await new Promise((resolve) => setTimeout(resolve, 1500)) // both cores are at a day that takes them long
    const sent = performance.now()
    child.process.kill('SIGINT')
    expect(await child.ended).toMatchObject({ code: 130, stdout: '', stderr: '' })
    expect(performance.now() - sent).toBeLessThan(2000)
  })
})

test('a terminal is told how many plays are done, and the line is taken away', async () => {
  const argv = ['simulate', 'run', SHORT, '--seeds', '2']
  const { world, stderr } = memoryWorld({ argv, isTTY: { stdout: false, stderr: true } })
  expect(await run(world)).toBe(0)
  expect(stderr()).toBe('\r\u001b[2K1 of 2 plays\r\u001b[2K2 of 2 plays\r\u001b[2K')
})

test.each(['run', 'compare'])('the help of %s names every exit code', async (command) => {
  const { code, stdout } = await simulate(command, '--help')
  expect([code, stdout.match(/^ {2}\d+(?= )/gm)?.map(Number)]).toEqual([0, [0, 1, 2, 130]])
})
