import { join } from 'node:path'
import ts from 'typescript'

const ROOT = new URL('../../', import.meta.url).pathname

/**
 * Compiles a generated folder under the settings of this repository, two of them off: hey-api's code bears neither
 * `exactOptionalPropertyTypes` nor `isolatedDeclarations`.
 *
 * @param target where the JavaScript goes
 * @returns what the compiler complains of
 */
export function compile(folder: string, target: string, off: readonly string[] = OFF): string[] {
  const { config, error } = ts.readConfigFile(join(ROOT, '../../tsconfig.base.json'), ts.sys.readFile)
  if (error) throw new Error(String(error.messageText))
  const compilerOptions = {
    ...config.compilerOptions,
    ...Object.fromEntries(off.map((name) => [name, false])),
    ...{ noEmit: false, declaration: false, outDir: target, rootDir: folder },
  }
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    { compilerOptions, include: ['**/*.ts'] },
    ts.sys,
    folder,
  )
  const program = ts.createProgram(fileNames, options)
  const problems = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics]
  return problems.map(
    ({ file, messageText }) =>
      `${file?.fileName.slice(folder.length)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  )
}

const OFF = ['exactOptionalPropertyTypes', 'isolatedDeclarations']
