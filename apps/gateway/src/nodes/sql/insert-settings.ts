/**
 * A block is one part or none: the engine must not divide it, nor gather it with others. Every version has these.
 * @param rows of the block
 */
export function wholeBlock(rows: number): Readonly<Record<string, number>> {
  return { max_insert_block_size: rows + 1, min_insert_block_size_rows: 0, min_insert_block_size_bytes: 0 }
}

/** Nothing is left out or made up silently: what does not fit its column is an error. Every version has these. */
export const STRICT = {
  input_format_skip_unknown_fields: 0,
  input_format_allow_errors_num: 0,
  input_format_allow_errors_ratio: 0,
  date_time_input_format: 'best_effort',
} as const

/** The same for what current versions would do besides. */
export const STRICT_NOW = {
  async_insert: 0,
  input_format_parallel_parsing: 0,
  input_format_null_as_default: 0,
  input_format_json_read_numbers_as_strings: 0,
  input_format_json_read_bools_as_numbers: 0,
  input_format_json_read_bools_as_strings: 0,
  input_format_json_read_arrays_as_strings: 0,
  input_format_json_read_objects_as_strings: 0,
  max_partitions_per_insert_block: 0,
} as const
