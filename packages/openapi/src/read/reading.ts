import { SchemaBook } from '../schema/schema-book.js'
import type { Place } from './place.js'

/** What everybody needs who reads a part of a document. */
export class Reading {
  readonly root: unknown
  readonly book: SchemaBook
  readonly notes: string[] = []
  /** Where the document was read, without query and credentials; null where that was no URL. */
  readonly base: URL | null

  constructor(root: unknown, openapi: string, base: URL | null) {
    this.root = root
    this.book = new SchemaBook(root, openapi)
    this.base = base
  }

  /** One sentence on what was read otherwise than written. */
  note({ pointer }: Pick<Place, 'pointer'>, sentence: string): void {
    this.notes.push(`#${pointer}: ${sentence}.`)
  }
}
