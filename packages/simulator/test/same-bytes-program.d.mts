/** A hash for each column of what was recorded, by the scenario's id and the column's name. */
export declare function hashes(files: Readonly<Record<string, object>>): Promise<Record<string, Record<string, string>>>
