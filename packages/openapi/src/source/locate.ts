import { type LineColumn, lineColumn } from './line-column.js'

/**
 * Where a JSON pointer stands in a text that was parsed before; where the last part is not there, what it is missing
 * from. null where it cannot be told.
 *
 * For messages only: it parses the text a second time.
 */
export async function locate(text: string, json: boolean, pointer: string): Promise<LineColumn | null> {
  const path = pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  try {
    const offset = json ? await inJson(text, path) : await inYaml(text, path)
    return offset === null ? null : lineColumn(text, offset)
  } catch {
    return null // a text too deep for this parser: the pointer has to do
  }
}

async function inJson(text: string, path: readonly string[]): Promise<number | null> {
  const { parseTree } = await import('jsonc-parser')
  let node = parseTree(text)
  let offset = node?.offset
  for (const key of path) {
    const property = node?.children?.find((one) => one.type === 'property' && one.children?.[0]?.value === key)
    const next = node?.type === 'array' ? node.children?.[Number(key)] : property?.children?.[1]
    if (next === undefined) break
    // Of a member the key is what an editor should show.
    offset = property?.offset ?? next.offset
    node = next
  }
  return offset ?? null
}

async function inYaml(text: string, path: readonly string[]): Promise<number | null> {
  const { isAlias, isCollection, isMap, isNode, isScalar, parseDocument } = await import('yaml')
  const document = parseDocument(text, { strict: false, merge: true })
  let node: unknown = document.contents
  let offset = isNode(node) ? node.range?.[0] : undefined
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document)
    if (!isCollection(node)) break
    const pair = isMap(node) ? node.items.find((one) => isScalar(one.key) && String(one.key.value) === key) : undefined
    const next: unknown = pair === undefined ? node.get(Number(key), true) : pair.value
    if (next === undefined) break
    const shown = pair === undefined ? next : pair.key
    offset = (isNode(shown) ? shown.range?.[0] : undefined) ?? offset
    node = next
  }
  return offset ?? null
}
