// An index of the files, and nothing else: read them with whatever the language at hand offers.

export const tables = {
  'retry-cases': new URL('./retry-cases.json', import.meta.url),
  'call-scenarios': new URL('./call-scenarios.json', import.meta.url),
  'backoff-scenarios': new URL('./backoff-scenarios.json', import.meta.url),
  'surface-cases': new URL('./surface-cases.json', import.meta.url),
  'ingest-scenarios': new URL('./ingest-scenarios.json', import.meta.url),
}

export const schemas = {
  'retry-cases': new URL('./schema/retry-cases.schema.json', import.meta.url),
  'call-scenarios': new URL('./schema/call-scenarios.schema.json', import.meta.url),
  'backoff-scenarios': new URL('./schema/backoff-scenarios.schema.json', import.meta.url),
  'surface-cases': new URL('./schema/surface-cases.schema.json', import.meta.url),
  'ingest-scenarios': new URL('./schema/ingest-scenarios.schema.json', import.meta.url),
  'driver-protocol': new URL('./schema/driver-protocol.schema.json', import.meta.url),
  'x-sluice-retry': new URL('./schema/x-sluice-retry.schema.json', import.meta.url),
  'simulation-scenario': new URL('./schema/simulation-scenario.schema.json', import.meta.url),
}

export const openapi = new URL('./openapi.yaml', import.meta.url)
