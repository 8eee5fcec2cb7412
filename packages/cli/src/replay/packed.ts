import { UsageError } from '../usage-error.js'

/** How a file is packed, how its bytes begin and its name ends, and what unpacks it to stdout. */
const PACKED = [
  { kind: 'gzip', bytes: [0x1f, 0x8b], ending: '.gz', unpack: 'gunzip -c' },
  { kind: 'Zstandard', bytes: [0x28, 0xb5, 0x2f, 0xfd], ending: '.zst', unpack: 'zstd -dc' },
  { kind: 'bzip2', bytes: [0x42, 0x5a, 0x68], ending: '.bz2', unpack: 'bunzip2 -c' },
  { kind: 'xz', bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], ending: '.xz', unpack: 'xz -dc' },
  { kind: 'zip', bytes: [0x50, 0x4b, 0x03, 0x04], ending: '.zip', unpack: 'unzip -p' },
] as const

export type Packed = (typeof PACKED)[number]

export const packedByName = (file: string): Packed | null => PACKED.find(({ ending }) => file.endsWith(ending)) ?? null

/** What to type in its place; stdin has no name that tells what is in it. */
export function packedWords(file: string, { kind, unpack }: Packed): string {
  const [name, of] = file === '-' ? ['stdin', 'FILE'] : [file, file]
  const delimiter = /\.tsv\.\w+$/i.test(file) ? " --delimiter '\\t'" : ''
  return `${name} is compressed (${kind}); unpack it on the way: ${unpack} ${of} | sluice replay -${delimiter}`
}

/**
 * Passes chunks on, after a look at the first bytes.
 * @throws UsageError where they are no text that can be read: compressed, or UTF-16
 */
export async function* textOf(chunks: AsyncIterable<Uint8Array>, file: string): AsyncIterable<Uint8Array> {
  let head = new Uint8Array()
  let seen = false
  for await (const chunk of chunks) {
    if (seen) yield chunk
    else {
      head = Buffer.concat([head, chunk])
      seen = head.length >= 5
      if (seen) yield checked(head, file)
    }
  }
  if (!seen && head.length > 0) yield checked(head, file)
}

function checked(head: Uint8Array, file: string): Uint8Array {
  const packed = PACKED.find(({ bytes }) => bytes.every((byte, i) => head[i] === byte))
  if (packed !== undefined) throw new UsageError(packedWords(file, packed))
  const mark = `${head[0]} ${head[1]}`
  if (mark !== '255 254' && mark !== '254 255') return head
  const name = file === '-' ? 'FILE' : file
  throw new UsageError(
    `${file === '-' ? 'stdin' : file} is UTF-16, not UTF-8: iconv -f UTF-16 -t UTF-8 ${name} | sluice replay -`,
  )
}
