import { ConfigError } from '../config-error.js'
import { fn, noOthers, object, shown, text, yesOrNo } from '../option-values.js'
import type { Pipe } from './pipe.js'

const MEMBERS = ['name', 'description', 'sql', 'parameters', 'pastLimit', 'check']
const OF_PARAMETERS = ['type', 'description', 'accepts', 'default', 'schema']

/** Whether a pipe is one, as JavaScript may give it. @param at its place in the options @throws ConfigError */
export function checkPipe(pipe: Pipe, at: string): void {
  const { name, description, sql, parameters, pastLimit, check } = pipe
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(text(`${at}.name`, name, 'flights_per_day')))
    throw new ConfigError(
      'options',
      `${at}.name`,
      `is ${shown(name)}; it must be 1 to 64 of a-z, 0-9 and _, a letter first`,
    )
  if (typeof description !== 'string') text(`${at}.description`, description, '"Flights of each day"')
  text(`${at}.sql`, sql, '"SELECT 1"')
  for (const [parameter, it] of Object.entries(object(`${at}.parameters`, parameters, '{ day: dateParameter({ … }) }')))
    checkParameter(it, `${at}.parameters.${parameter}`)
  if (pastLimit !== undefined) yesOrNo(`${at}.pastLimit`, pastLimit)
  if (check !== undefined) fn(`${at}.check`, check, 'that takes the values')
  noOthers(`${at}.`, pipe, MEMBERS)
}

function checkParameter(parameter: Pipe['parameters'][string], at: string): void {
  const { type, description, accepts, default: byDefault, schema } = object(at, parameter, 'dateParameter({ … })')
  text(`${at}.type`, type, 'Date')
  if (typeof description !== 'string') text(`${at}.description`, description, '"The first day"')
  text(`${at}.accepts`, accepts, '"a date written YYYY-MM-DD"')
  if (byDefault !== undefined && typeof byDefault !== 'string') text(`${at}.default`, byDefault, '"2001-01-01"')
  fn(`${at}.schema.safeParse`, schema?.safeParse, 'of a zod schema')
  noOthers(`${at}.`, parameter, OF_PARAMETERS)
}
