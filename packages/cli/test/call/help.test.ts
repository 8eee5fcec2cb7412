import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { call } from './call.js'

async function shown(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr, sends } = await call(args)
  expect({ code, stderr, sends }).toEqual({ code: 0, stderr: '', sends: [] })
  return stdout
}

describe('sluice call --help', () => {
  test('lists the operations by tag, and our own options', async () => {
    const text = await shown(['--help'])
    expect(text).toContain('Items 2: 17 operations\n\nItems\n  items ')
    expect(text).toMatch(/\nItems\n {2}items +List items\n {2}createItem +Make an item from a text\n/)
    expect(text).toMatch(/\nOther\n {2}pay +POST \/pay\n/)
    for (const option of ['--base-url <url>', '--token-file <file>', '--format <how>', '--max-attempts <n>'])
      expect(text).toContain(option)
  })
})

describe('--list and --tag', () => {
  test('all, by a word, by tag', async () => {
    expect((await shown(['--list'])).split('\n').length).toBeGreaterThan(16)
    expect(await shown(['--list', 'SHELF'])).toBe('Items\n  putItem  Put an item on a shelf\n')
    expect(await shown(['--tag', 'Files', '--list', 'photo'])).toBe('Files\n  uploadPhoto  POST /photos\n')
    expect(await shown(['--tag', 'Files'])).toMatch(/^Files\n {2}sendLines .*\n {2}uploadPhoto .*\n {2}putRaw .*\n$/)
  })
})

describe('sluice call OPERATION --help', () => {
  test('is written from the document', async () => {
    expect(await shown(['putItem', '--help'])).toBe(`Usage: sluice call putItem [flags]

PUT /shelves/{shelf}/items/{item-id}
Put an item on a shelf

Parameters:
  --shelf <text>           Required.
  --item-id <integer>      Required.
  --size <integer>
  --idempotency-key [key]  Without a value a random one.

Fields of the body (application/json), or all of it with --body:
  --name <text>          Required. What it is called.
  --body-size <integer>  Required.
  --ratio <number>
  --open, --no-open
  --labels <text>        Can be given again.
  --state <text>         One of new, used. Default new.
  --owner <json>
  --body-output <text>

Body:
  -d, --body <json|@file|->  Required. As application/json.

Answers:
  200  Put.

Retries:
  By the preset interactive, at most 2 attempts, all waits within 5000 ms. A throttle is waited
  out; other failures that may pass are repeated too.

Example:
  sluice call putItem --shelf SHELF --item-id 1 --name NAME --body-size 1

Flags of every operation, such as --base-url, --token-file, --format and -o: sluice call --help
`)
  })

  test('the example of each operation is a command line that works', async () => {
    const ids = ['items', 'createItem', 'putItem', 'pay', 'addNote', 'byKey']
    for (const id of ids) {
      const [, example = ''] = /\nExample:\n {2}sluice call (.*)\n/.exec(await shown([id, '--help'])) ?? []
      const { code, stderr, sends } = await call(example.split(' '))
      expect({ example, code, stderr, sends: sends.length }).toEqual({ example, code: 0, stderr: '', sends: 1 })
    }
  })

  test('a name that no flag can be made of, a list, a choice, a default', async () => {
    const text = await shown(['items', '-h'])
    expect(text).toContain("--arg '名=<text>'")
    expect(text).toMatch(/--tags <text> +One of a, b, c\. Can be given again\.\n/)
    expect(text).toMatch(/--per-page <integer> +How many\. Default 30\.\n/)
    expect(text).toMatch(/--query-output <text>\n/)
    expect(text).toContain('\nAll of them.\n\nIn pages.\n')
  })
})

test('how to write null, which no flag can say', async () => {
  const document = fileURLToPath(new URL('../../../../spec/openapi.yaml', import.meta.url))
  const { stdout } = await call(['putRoute', '--help', '--openapi', document])
  expect(stdout.replace(/\s+/g, ' ')).toContain(`it is written where it belongs. For null: -d '{"node":null}'.`)
})

test('no name and no text of a hostile document reaches a terminal as an escape sequence, or as a line of its own', async () => {
  const evil = '\u001b[31m\u001b]0;x\u0007\u009b31m\u202ex\nOther'
  const operation = {
    ...{ operationId: `op${evil}`, summary: evil, description: evil, tags: [evil] },
    parameters: [
      { name: `p${evil}`, in: 'query', description: evil, schema: { type: 'string', enum: [evil], default: evil } },
    ],
    responses: { 200: { description: evil } },
  }
  const paths = { '/a': { get: operation } }
  const document = JSON.stringify({ openapi: '3.1.0', info: { title: evil, version: evil }, paths })
  const folder = await mkdtemp(join(tmpdir(), 'sluice-hostile-'))
  const file = join(folder, 'openapi.json')
  await writeFile(file, document)
  try {
    for (const args of [
      ['--help'],
      ['--list'],
      [`op${evil}`, '--help'],
      ['nope'],
      ['--tag', 'nope'],
      [`op${evil}`, '--x'],
    ]) {
      const { stdout, stderr } = await call(args, [{ status: 200 }], { env: { SLUICE_OPENAPI: file } })
      expect(`${stdout}${stderr}`).toMatch(/x|Error/)
      expect(`${stdout}${stderr}`).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u)
      expect(stdout).not.toMatch(/^Other/m)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
