/** How a body of a media type is written. */
export type MediaKind = 'json' | 'lines' | 'form' | 'multipart' | 'text' | 'binary'

/** `application/json; charset=utf-8` → `application/json`. */
export const essence = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase()

export function mediaKind(contentType: string): MediaKind {
  const type = essence(contentType)
  if (/^application\/(x-)?(ndjson|jsonl|jsonlines|json-lines)$/.test(type)) return 'lines'
  if (type === '*/*' || /[/+]json$/.test(type)) return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type === 'multipart/form-data') return 'multipart'
  if (type.startsWith('text/') || /[/+](xml|yaml|x-yaml|graphql|sql)$/.test(type)) return 'text'
  return 'binary'
}
