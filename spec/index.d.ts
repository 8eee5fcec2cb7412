/** The suites that have a table. */
export type Suite = 'retry-cases' | 'call-scenarios' | 'surface-cases'

/** Where each table lies: JSON, UTF-8. */
export declare const tables: Readonly<Record<Suite, URL>>

/** Where each schema lies, of a table or of the driver protocol: JSON Schema 2020-12. They may refer to each other. */
export declare const schemas: Readonly<Record<Suite | 'driver-protocol', URL>>
