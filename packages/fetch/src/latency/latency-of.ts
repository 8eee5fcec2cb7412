/**
 * Reads the server's own figure of how long it took, in ms (L2). Given the answer as soon as its headers are there: the
 * figure; a function that finds it in the last 4 KiB of the body, as text, once that has been read; or null where
 * there is none, which leaves the time to headers. Where a body is not read to its end there is no sample.
 */
export type LatencyOf = (response: Response) => number | null | ((tail: string) => number | null)
