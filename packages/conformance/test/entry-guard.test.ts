import { describe, expect, it } from 'vitest'
import { type CaseResult, runCase, type TableEntry } from '../src/index.js'
import { guardEntry } from '../src/vitest/entry-guard.js'
import { judgeEntry } from '../src/vitest/judge-entry.js'
import { sendsAfter } from './small-subject.js'
import { testClock } from './test-clock.js'

describe('guardEntry counts', () => {
  class Client {
    readonly #name = 'client'
    get name(): string {
      return this.#name
    }
  }
  const module = { add: (a: number, b: number) => a + b, create: () => () => 'made', Client, VERSION: 1 }

  it('calls of exports and of what they return, and constructions', () => {
    const { module: guarded, calls } = guardEntry(module)
    expect(calls()).toBe(0)
    expect(guarded.add(1, 2)).toBe(3)
    expect(calls()).toBe(1)
    const made = guarded.create()
    expect(made()).toBe('made')
    expect(calls()).toBe(3)
    const client = new guarded.Client()
    expect(client.name).toBe('client')
    expect(client).toBeInstanceOf(Client)
    expect(calls()).toBe(4)
  })

  it('nothing where a value is read, or the original is called', () => {
    const { module: guarded, calls } = guardEntry(module)
    expect(guarded.VERSION).toBe(1)
    module.add(1, 2)
    expect(calls()).toBe(0)
  })
})

describe('judgeEntry', () => {
  const entry: TableEntry = {
    suite: 'retry-cases',
    policy: {},
    row: {
      id: 'retry-cases/one',
      rule: 'R1',
      level: 'must',
      needs: [],
      name: 'a sentence',
      failure: 'status:500',
      method: 'GET',
      retry_after: null,
      attempt: 1,
      expect: { retry: false },
    },
  }
  const passing = (): Promise<CaseResult> => runCase(entry, sendsAfter([]), testClock)

  it('leaves a case alone that went through the entry and sent something', async () => {
    const result = await passing()
    expect(judgeEntry(result, 1, '@x/y')).toBe(result)
    expect(result.verdict).toBe('passed')
  })

  it('fails one during which no export was called', async () => {
    const { verdict, mismatches } = judgeEntry(await passing(), 0, '@x/y')
    expect(verdict).toBe('failed')
    expect(mismatches[0]?.field).toBe('not called through its public entry: no export of @x/y')
  })

  it('fails one that had to send and did not', async () => {
    const { verdict, mismatches } = judgeEntry({ ...(await passing()), sends: 0 }, 1, '@x/y')
    expect(verdict).toBe('failed')
    expect(mismatches).toEqual([{ field: 'sends through the given fetch', expected: 'at least one', actual: 0 }])
  })

  it('does not ask a skipped case, nor a send of a refused policy', async () => {
    const skipped = { ...(await passing()), verdict: 'skipped', sends: 0 } as const
    expect(judgeEntry(skipped, 0, '@x/y')).toBe(skipped)
    const refused = { ...(await passing()), mustSend: false, sends: 0 }
    expect(judgeEntry(refused, 1, '@x/y')).toBe(refused)
  })
})
