import { controllers } from '@sluice/simulator'
import { sinkOf } from '../output/sink.js'
import { table } from '../output/table.js'
import type { World } from '../world.js'
import { packageScenarios } from './scenario-files.js'
import { lengthText } from './words.js'

/** `sluice simulate list`. @returns 0 */
export async function list(world: World, asJson: boolean): Promise<number> {
  const text = asJson ? JSON.stringify({ scenarios: packageScenarios(), controllers: named() }) : asText()
  await sinkOf(world.stdout, 'stdout', world.signal).write(`${text}\n`)
  return 0
}

const named = (): { name: string; source: string }[] => [
  ...controllers.map(({ name, source }) => ({ name, source })),
  { name: 'fixed:N', source: 'the same, with N in place of the most that the scenario allows' },
  { name: 'best-fixed', source: 'the fixed limit that did best on the tuning seeds: in hindsight' },
]

const asText = (): string =>
  [
    ...table(
      [
        ['', 'scenario', 'lasts', ''],
        ...packageScenarios().map(({ id, number, title, duration_s }) => [
          `${number}`.padStart(2),
          id,
          lengthText(Number(duration_s)),
          String(title),
        ]),
      ],
      [1, 3],
    ),
    '',
    ...table([['controller', 'follows'], ...named().map(({ name, source }) => [name, source])], [1]),
  ].join('\n')
