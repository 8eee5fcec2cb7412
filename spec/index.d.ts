/** The suites that have a table. */
export type Suite = 'retry-cases' | 'call-scenarios'

/** Where each table lies: JSON, UTF-8. */
export declare const tables: Readonly<Record<Suite, URL>>

/** Where the schema of each table lies: JSON Schema 2020-12. They may refer to others in the same folder. */
export declare const schemas: Readonly<Record<Suite, URL>>
