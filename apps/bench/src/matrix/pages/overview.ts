import { CONFIGURATIONS } from '../run-matrix.js'
import { anchor, type Column, groupsOf, type Matrix } from './matrix.js'

const HEADINGS = { defaults: 'As they ship', best: 'In the best configuration that they document' }

/** Inside a link's title, inside a table. */
const quoted = (text: string): string => text.replaceAll('"', '”').replaceAll('|', '\\|').replaceAll('\n', ' ')

function table({ probes, clients }: Matrix, configuration: (typeof CONFIGURATIONS)[number]): string {
  const columns = clients.map(({ id, name, columns: both }) => ({
    id,
    name,
    column: both.find(({ run }) => run.configuration === configuration),
  }))
  const row = (cells: string[]): string => `| ${cells.join(' | ')} |`
  const cell = (id: string, column: Column | undefined, probe: string): string => {
    const found = column?.cells.get(probe)
    return found ? `[${found.mark}](matrix/${id}.md#${anchor(configuration, probe)} "${quoted(found.says)}")` : ''
  }
  return [
    row(['rule', 'what the server does', ...columns.map(({ id, name }) => `[${name}](matrix/${id}.md)`)]),
    row(['---', '---', ...columns.map(() => ':-:')]),
    ...groupsOf(probes).flatMap(([group, rows]) => [
      row(['', `**${group}**`, ...columns.map(() => '')]),
      ...rows.map((probe) =>
        row([
          `[${probe.rule}](../spec/README.md#${probe.rule.toLowerCase()})`,
          probe.title.replaceAll('|', '\\|'),
          ...columns.map(({ id, column }) => cell(id, column, probe.id)),
        ]),
      ),
    ]),
  ].join('\n')
}

function versions({ clients, versions: all }: Matrix): string {
  return clients
    .map(({ id, name, columns }) => {
      const packages = columns[0]?.run.about.packages ?? []
      const listed = packages.map((one) => `\`${one}\` ${all.get(one)}`).join(', ')
      const [defaults, best] = CONFIGURATIONS.map(
        (one) => columns.find(({ run }) => run.configuration === one)?.run.setup,
      )
      return `| [${name}](matrix/${id}.md) | ${listed} | \`${defaults}\` | \`${best}\` |`
    })
    .join('\n')
}

/** The generated part of docs/matrix.md. */
export function overview(matrix: Matrix): string {
  return [
    `Run on ${matrix.date} with Node ${matrix.node}.`,
    ...CONFIGURATIONS.flatMap((configuration) => [`### ${HEADINGS[configuration]}`, table(matrix, configuration)]),
    '### Clients',
    `| client | versions | as it ships | best documented |\n|---|---|---|---|\n${versions(matrix)}`,
  ].join('\n\n')
}
