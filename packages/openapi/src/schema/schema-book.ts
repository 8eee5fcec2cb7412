import type { JsonSchema } from '../model/json-schema.js'
import { isRecord } from '../read/is-record.js'
import { Broken, kindOf, type Place } from '../read/place.js'
import { target } from '../read/resolve.js'
import { translateSchema } from './translate-schema.js'

interface Entry {
  readonly name: string
  schema: JsonSchema
  /** The pointers that it refers to itself. */
  readonly refs: Set<string>
}

/** A schema and the pointers of those it refers to. */
export interface Translated {
  readonly schema: JsonSchema
  readonly refs: ReadonlySet<string>
}

/** The schemas of a document by pointer, each translated once and under one name, whoever refers to it. */
export class SchemaBook {
  readonly #root: unknown
  readonly #old: boolean
  readonly #entries = new Map<string, Entry>()
  readonly #names = new Set<string>()
  /** Named, and not translated yet. */
  readonly #waiting: { readonly entry: Entry; readonly place: Place }[] = []

  /** @param openapi the document's version: 3.0 has schemas of its own kind */
  constructor(root: unknown, openapi: string) {
    this.#root = root
    this.#old = openapi.startsWith('3.0')
  }

  /** @throws Broken for what is no schema, refers to nothing or is nested too deeply */
  translate(place: Place): Translated {
    const refs = new Set<string>()
    const schema = this.#translated(place, refs)
    // One after the other, not one within the other: a chain of references may be long.
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop())
      next.entry.schema = this.#translated(next.place, next.entry.refs)
    return { schema, refs }
  }

  /** All that these pointers lead to, as `$defs`. */
  defs(pointers: Iterable<string>): { readonly [name: string]: JsonSchema } {
    const reachable = new Set(pointers)
    // The set grows while it is walked.
    for (const pointer of reachable) for (const ref of this.#entries.get(pointer)?.refs ?? []) reachable.add(ref)
    const entries = [...reachable].flatMap((pointer) => this.#entries.get(pointer) ?? [])
    return Object.fromEntries(entries.map(({ name, schema }) => [name, schema]))
  }

  #translated(place: Place, refs: Set<string>): JsonSchema {
    return translateSchema(place, this.#old, (ref, from) => {
      const found = target(this.#root, ref, from)
      refs.add(found.pointer)
      return `#/$defs/${this.#entry(found, from).name}`
    })
  }

  #entry(place: Place, from: Place): Entry {
    const known = this.#entries.get(place.pointer)
    if (known !== undefined) return known
    if (!isRecord(place.value) && typeof place.value !== 'boolean')
      throw new Broken(from, `$ref must point to a schema; got ${kindOf(place.value)}`)
    this.#refuseCircle(place)
    const entry: Entry = { name: this.#name(place.pointer), schema: true, refs: new Set() }
    this.#entries.set(place.pointer, entry)
    this.#waiting.push({ entry, place })
    return entry
  }

  /** A schema that is nothing but a reference to itself describes nothing, and no validator ends on it. */
  #refuseCircle(place: Place): void {
    const seen = new Set<string>()
    let at = place
    while (isRecord(at.value) && typeof at.value.$ref === 'string') {
      if (seen.has(at.pointer)) throw new Broken(place, `$ref ${at.value.$ref} leads back to itself`)
      seen.add(at.pointer)
      at = target(this.#root, at.value.$ref, at)
    }
  }

  /** Letters, digits, `.`, `_` and `-`: a name that needs no escape in a reference. */
  #name(pointer: string): string {
    const last = pointer
      .slice(pointer.lastIndexOf('/') + 1)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~')
    const base = last.replace(/[^\w.-]+/g, '-').replace(/^_+/, '') || 'schema'
    let name = base
    for (let number = 2; this.#names.has(name); number++) name = `${base}-${number}`
    this.#names.add(name)
    return name
  }
}
