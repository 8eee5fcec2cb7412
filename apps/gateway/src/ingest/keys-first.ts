import type { DurableSpool } from '@sluice/ingest'

/**
 * A spool that marks nothing as done before keys are on disk: until then a batch's key is in the spool, beside its events,
 * and is found there after a power cut; from then on nowhere but among the keys.
 * @param keysKept puts on disk the keys of all batches so far
 * @param onError what is written must be marked all the same: a disk that takes no keys would keep all of it
 */
export function keysFirst(
  spool: DurableSpool,
  keysKept: () => Promise<void>,
  onError: (error: unknown) => void,
): DurableSpool {
  return {
    claims: spool.claims,
    append: (source, payload) => spool.append(source, payload),
    claim: (claim) => spool.claim(claim),
    done: async (sequences) => {
      await keysKept().catch(onError)
      await spool.done(sequences)
    },
    read: (sequences) => spool.read(sequences),
    readParts: (parts) => spool.readParts(parts),
    records: () => spool.records(),
    backlog: (source) => spool.backlog(source),
    close: () => spool.close(),
  }
}
