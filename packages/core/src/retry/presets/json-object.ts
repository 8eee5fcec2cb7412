/** A body as a JSON object; an empty one where it is none, or was cut off by the bound on peeking. */
export function jsonObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
