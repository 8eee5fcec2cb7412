import { ConfigError } from '../config-error.js'
import { fn, noOthers, shown, text } from '../option-values.js'
import type { Dataset } from './dataset.js'

/** @throws ConfigError, before an engine is started that could do nothing with them */
export function checkDatasets(datasets: readonly Dataset[]): readonly Dataset[] {
  const tables = new Set<string>()
  for (const [i, dataset] of datasets.entries()) {
    const at = `datasets.${i}`
    const { table, createSql, load } = dataset
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(text(`${at}.table`, table, 'flights')))
      throw new ConfigError('options', `${at}.table`, `is ${shown(table)}; it must be 1 to 64 of A-Z, a-z, 0-9 and _`)
    if (tables.has(table))
      throw new ConfigError('options', `${at}.table`, `"${table}" is there twice; give each its own table`)
    tables.add(table)
    text(`${at}.createSql`, createSql, `CREATE TABLE ${table} (…)`)
    fn(`${at}.load`, load, 'that gives its rows, one JSON object a line')
    noOthers(`${at}.`, dataset, ['table', 'createSql', 'load'])
  }
  return datasets
}
