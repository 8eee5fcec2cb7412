import type { NodeAnswer } from '../node.js'

/** `"rows": 3, … "statistics": {…}}` at the end of ClickHouse's JSON form. */
interface Tail {
  readonly statistics?: { readonly elapsed?: number; readonly rows_read?: number; readonly bytes_read?: number }
}

/**
 * An answer with the node's own figure in it. Only its end is parsed: the whole may be long, and this is the process that
 * everybody waits for. In data these words cannot stand like this, as quotes within texts are escaped.
 */
export function serverAnswer(text: string, nodeElapsedMs: number): NodeAnswer {
  const statisticsAt = text.lastIndexOf('"statistics":')
  const rowsAt = text.lastIndexOf('"rows":', statisticsAt)
  if (statisticsAt < 0 || rowsAt < 0) throw new Error('The server did not answer in its JSON form.')
  const { statistics } = JSON.parse(`{${text.slice(statisticsAt)}`) as Tail // its documented shape, as far as it is used
  const node_elapsed = Number((nodeElapsedMs / 1000).toFixed(6))
  return {
    body: `${text.slice(0, statisticsAt)}"statistics":${JSON.stringify({ ...statistics, node_elapsed })}}`,
    rows: Number.parseInt(text.slice(rowsAt + '"rows":'.length), 10),
    elapsedMs: (statistics?.elapsed ?? 0) * 1000,
    nodeElapsedMs,
  }
}
