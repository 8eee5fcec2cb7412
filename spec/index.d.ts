/** The suites that have a table. */
export type Suite = 'retry-cases' | 'call-scenarios' | 'backoff-scenarios' | 'surface-cases' | 'ingest-scenarios'

/** Where each table lies: JSON, UTF-8. */
export declare const tables: Readonly<Record<Suite, URL>>

/**
 * Where each schema lies, of a table, of the driver protocol, of the OpenAPI extension or of a scenario of the simulator:
 * JSON Schema 2020-12. They may refer to each other.
 */
export declare const schemas: Readonly<
  Record<Suite | 'driver-protocol' | 'x-sluice-retry' | 'simulation-scenario', URL>
>

/** Where the gateway's description lies: OpenAPI 3.1, YAML. */
export declare const openapi: URL
