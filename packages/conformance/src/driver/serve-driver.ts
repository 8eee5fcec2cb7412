import { describeError } from '../run/play.js'
import { isRecord } from '../table/problem.js'
import { Lines } from './lines.js'
import { type Driver, type DriverRun, PROTOCOL } from './protocol.js'

export interface ServeOptions {
  driver: Driver
  /** The process's stdin, or anything else that gives its bytes or its text piece by piece. */
  input: AsyncIterable<Uint8Array | string>
  /** The process's stdout. Nothing else may be written there. */
  output: { write(text: string): unknown }
}

/**
 * Speaks the driver's side of the protocol until bye, or until the input ends. Cases run side by side and are answered
 * as they end. Lines that are no JSON object, and commands it does not know, are ignored. The process should exit
 * then: calls that still run are aborted.
 */
export async function serveDriver({ driver, input, output }: ServeOptions): Promise<void> {
  const say = (message: object): void => {
    output.write(`${JSON.stringify(message)}\n`)
  }
  const controller = new AbortController()
  const answer = async (seq: number, run: DriverRun): Promise<void> => {
    try {
      say({ seq, ...(await driver.run(run, controller.signal)) })
    } catch (error) {
      say({ seq, error: describeError(error) })
    }
  }
  for await (const message of messages(input)) {
    if (message.cmd === 'bye') break
    if (message.cmd === 'hello') say(introduction(driver, message.protocol))
    else if (message.cmd === 'run' && typeof message.seq === 'number') {
      const { cmd, seq, ...run } = message
      // A runner has checked what it says against the schema.
      void answer(message.seq, run as unknown as DriverRun)
    }
  }
  controller.abort(new Error('the runner said bye'))
}

function introduction({ hello }: Driver, protocol: unknown): object {
  if (protocol === PROTOCOL) return hello
  return { error: `the runner speaks protocol ${JSON.stringify(protocol)}, and this driver speaks ${PROTOCOL}` }
}

async function* messages(input: ServeOptions['input']): AsyncGenerator<Record<string, unknown>> {
  const lines = new Lines()
  const decoder = new TextDecoder()
  for await (const piece of input) {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
    for (const line of lines.push(text) ?? []) {
      const message = parsed(line)
      if (isRecord(message)) yield message
    }
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
