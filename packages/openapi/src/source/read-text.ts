import { readFile } from 'node:fs/promises'
import { DocumentError } from '../errors/document-error.js'

type Read = (path: string) => Promise<string | Uint8Array>

/** @throws DocumentError where there is no such file, or it cannot be read */
export async function readPathText(path: string, read: Read = readFile): Promise<string> {
  return decode(await read(path).catch((cause) => unreadable(path, cause)))
}

/** All that comes in, as UTF-8. */
export async function readStdin(stdin: AsyncIterable<string | Uint8Array> | undefined): Promise<string> {
  if (stdin === undefined)
    throw new DocumentError('there is no stdin here; name a file or a URL', { source: '<stdin>' })
  const chunks: Uint8Array[] = []
  for await (const chunk of stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  return decode(Buffer.concat(chunks))
}

/** Without the byte order mark that some editors write. */
const decode = (content: string | Uint8Array): string =>
  typeof content === 'string' ? content.replace(/^\uFEFF/, '') : new TextDecoder().decode(content)

/** In words, what the file system says in a code. */
export function unreadable(path: string, cause: unknown): never {
  const { code, message } = cause as NodeJS.ErrnoException
  const problem =
    code === 'ENOENT'
      ? `there is no such file${/^[a-z][a-z0-9+-]+:\/\//i.test(path) ? '; a URL must be http or https' : ''}`
      : code === 'EISDIR'
        ? 'is a folder; name a file'
        : `cannot be read: ${code ?? message}`
  throw new DocumentError(problem, { source: path }, cause)
}
