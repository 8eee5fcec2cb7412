import { parse, YAMLParseError } from 'yaml'
import { ConfigError } from '../config-error.js'
import { readText } from './read-text.js'

/**
 * Reads a file of YAML, of which JSON is a part.
 * @param remedy what should be in it
 * @throws ConfigError that never repeats what is in the file: it may hold secrets
 */
export async function readConfigFile(file: string, remedy: string): Promise<unknown> {
  const text = await readText(file)
  try {
    return parse(text, { prettyErrors: true, logLevel: 'error' })
  } catch (error) {
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined
    const where = line === undefined ? '' : ` at line ${line}`
    if (error instanceof YAMLParseError && error.code === 'DUPLICATE_KEY')
      throw new ConfigError(file, '(the file)', `has a name${where} that is there before; leave one of the two`)
    throw new ConfigError(file, '(the file)', `is not YAML or JSON${where}; write ${remedy}`)
  }
}
