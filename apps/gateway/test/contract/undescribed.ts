import { type Answer, document, type Operation, operations, type Schema } from './document.js'
import { faultsOf } from './faults.js'

/** Headers that tell a client what to do: sent, they must be described. */
const TELLING = ['retry-after', 'ratelimit', 'ratelimit-policy', 'www-authenticate', 'allow', 'server-timing']

/** A request as it was made. */
export interface Asked {
  readonly method: string
  readonly path: string
}

/** The operation that a request meant: `/v1/pipes/x?y=1` is `/v1/pipes/{name}`. */
export function operationOf({ method, path }: Asked): Operation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  return operations.find((it) => it.method === wanted && matches(it.path, path))?.operation
}

/**
 * Where an answer is not as the document has it: status, content type, headers, body. None: it is.
 * On a known path a method without an operation must be refused as the component MethodNotAllowed says.
 */
export async function undescribed(asked: Asked, response: Response): Promise<string[]> {
  const answer = answerTo(asked, response.status)
  if (answer === undefined) return [`${asked.method} ${asked.path}: status ${response.status} is not described`]
  return [...headerFaults(answer, response.headers), ...(await bodyFaults(asked, answer, response))]
}

function answerTo(asked: Asked, status: number): Answer | undefined {
  const operation = operationOf(asked)
  if (operation !== undefined) return operation.responses[status]
  const known = operations.some((it) => matches(it.path, asked.path))
  return known && status === 405 ? document.components.responses.MethodNotAllowed : undefined
}

function matches(template: string, path: string): boolean {
  const pattern = template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(path.split('?')[0] ?? '')
}

function headerFaults(answer: Answer, sent: Headers): string[] {
  const described = new Map(Object.entries(answer.headers ?? {}).map(([name, it]) => [name.toLowerCase(), it]))
  const faults = TELLING.filter((name) => sent.has(name) && !described.has(name)).map(
    (name) => `${name} is sent and not described`,
  )
  for (const [name, { required, schema = {} }] of described) {
    const value = sent.get(name)
    if (value === null) {
      if (required === true) faults.push(`${name} is described as always there, and is not`)
    } else {
      const read = schema.type === 'integer' ? Number(value) : value
      faults.push(...faultsOf(schema, read).map((it) => `${name}: ${value}: ${it}`))
    }
  }
  return faults
}

async function bodyFaults(asked: Asked, answer: Answer, response: Response): Promise<string[]> {
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  const text = isStream && asked.method !== 'HEAD' ? await firstEvent(response) : await response.text()
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
  const described: { readonly schema?: Schema } | undefined = answer.content?.[type]
  if (answer.content === undefined) return text === '' ? [] : ['there is a body, and none is described']
  if (described?.schema === undefined) return [`content type "${type}" is not described`]
  if (asked.method === 'HEAD') return text === '' ? [] : ['HEAD has a body']
  if (!isStream && !/[/+]json$/.test(type)) return faultsOf(described.schema, text)
  const value: unknown = JSON.parse(isStream ? dataOf(text) : text)
  const faults = faultsOf(described.schema, value).map((it) => `body: ${it}`)
  const status = (value as { status?: unknown }).status // every problem says its status itself
  if (type === 'application/problem+json' && status !== response.status) faults.push(`body says status ${status}`)
  return faults
}

/** A stream of events ends only when one side closes it: here as soon as one has come. */
async function firstEvent(response: Response): Promise<string> {
  let text = ''
  // Leaving the loop cancels the body.
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    text = text.replace(/^(: .*\n\n)+/, '') // comments keep a connection, and say nothing
    if (text.endsWith('\n\n')) break
  }
  return text
}

/** What is described is the data of an event, on one line. */
function dataOf(event: string): string {
  return (
    /^(?:id: \S+\n)?event: [a-z]+\ndata: (.*)\n\n/.exec(event)?.[1] ?? `"${event.length} characters that are no event"`
  )
}
