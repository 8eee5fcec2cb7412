import { ArgumentError } from '../errors/argument-error.js'
import { mediaKind } from './media-kind.js'
import { encodeReserved, percentEncode } from './percent-encode.js'
import type { Given } from './read-arguments.js'
import { type Serialization, serialize, textOf } from './serialize.js'
import { shown } from './shown.js'

/** A parameter as it is sent, `name=value` in a query or cookie; null where an empty list or object leaves nothing to send. */
export function writeParameter({ name, parameter, value }: Given): string | null {
  const { style, explode, contentType } = parameter
  const encode = encoderOf(parameter)
  const how: Serialization = { style, explode, encode, separator: parameter.in === 'cookie' ? '; ' : '&' }
  const written =
    contentType === null
      ? serialize(parameter.name, value, how)
      : // Its media type writes it; what comes out is one text for its place.
        serialize(parameter.name, mediaKind(contentType) === 'json' ? JSON.stringify(value) : textOf(value), how)
  if (parameter.in === 'path' && (written === null || written === ''))
    throw new ArgumentError(name, `${shown(value)} leaves its place in the path empty; give a value`, value)
  return written
}

function encoderOf(parameter: Given['parameter']): (text: string) => string {
  // A header is no URL: what it says it says unencoded.
  if (parameter.in === 'header') return (text) => text
  // allowReserved applies to queries alone.
  return parameter.in === 'query' && parameter.allowReserved ? encodeReserved : percentEncode
}
