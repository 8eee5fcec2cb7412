import type { DataSource, DataSourceStatus, Notice } from '@sluice/client'
import type { Clock } from '@sluice/fetch/page'
import type { Answer } from '../api/ask.js'
import type { GatewayApi } from '../api/gateway-api.js'
import { type Asked, nextQuestion, type Question } from './next-question.js'
import { pauseAfter } from './question-pause.js'

/** What components see; another object after each change. */
export interface SourcesView {
  /** As the status says. */
  readonly sources: readonly DataSourceStatus[]
  /** The rest, as it was asked for last. */
  readonly details: ReadonlyMap<string, DataSource>
  readonly opened: string | null
  /** Whether the token may do what an owner of the opened one may; null: not known yet. */
  readonly isOwner: boolean | null
  /** Of the opened one, or of all, the newest first; null: not known yet. */
  readonly notices: readonly Notice[] | null
}

/** What a store is made with. */
export interface SourceStoreOptions {
  readonly api: GatewayApi
  readonly clock: Clock
  /** Whether nobody sees the page. */
  readonly isHidden: () => boolean
}

/** A page that nobody sees asks nothing, and looks so often whether somebody does. */
const HIDDEN_MS = 1000
const NONE: SourcesView = { sources: [], details: new Map(), opened: null, isOwner: null, notices: null }

/** Knows how data sources are: from the status as it changes, and by asking one question after another for the rest. */
export class SourceStore {
  readonly #options: SourceStoreOptions
  readonly #listeners = new Set<() => void>()
  readonly #asked = new Map<string, Asked>()
  #noticesAtMs: number | null = null
  #hasNews = false
  /** Whether there is a connection over which changes are told. */
  #isLive = false
  #isAsking = false
  /** Not before that. */
  #notBeforeMs = 0
  #cancel = (): void => {}
  #stopped = false
  #view = NONE

  constructor(options: SourceStoreOptions) {
    this.#options = options
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly getSnapshot = (): SourcesView => this.#view

  /** @param isLive what is not told over a connection is not asked for either */
  told(sources: readonly DataSourceStatus[], isLive: boolean): void {
    this.#isLive = isLive
    if (sources !== this.#view.sources) {
      const key = (its: readonly DataSourceStatus[]) => its.map((it) => `${it.name} ${it.state_since}`).join()
      if (key(sources) !== key(this.#view.sources)) this.#hasNews = true
      const { opened } = this.#view
      this.#changed({ sources })
      if (opened !== null && !sources.some(({ name }) => name === opened)) this.open(null)
    }
    this.#plan()
  }

  /** Looks at one more closely; null: at none. */
  readonly open = (opened: string | null): void => {
    this.#noticesAtMs = null
    this.#changed({ opened, isOwner: null, notices: null })
    this.#plan()
  }

  /** Something was done to it: it is asked about at once. */
  readonly acted = (name: string): void => {
    this.#asked.delete(name)
    this.#hasNews = true
    this.#plan()
  }

  start(): () => void {
    this.#stopped = false
    this.#plan()
    return () => {
      this.#stopped = true
      this.#cancel()
    }
  }

  #plan(): void {
    this.#cancel()
    if (this.#stopped || !this.#isLive || this.#isAsking) return
    const { clock, isHidden } = this.#options
    const { sources, opened, isOwner } = this.#view
    const standing = { sources, asked: this.#asked, opened, isOwner, noticesAtMs: this.#noticesAtMs }
    const next = nextQuestion({ ...standing, hasNews: this.#hasNews }, clock.now())
    if (next === null) return
    const inMs = Math.max(next.inMs, this.#notBeforeMs - clock.now(), isHidden() ? HIDDEN_MS : 0)
    this.#cancel = clock.timer(inMs, () => (isHidden() ? this.#plan() : void this.#ask(next.question)))
  }

  async #ask(question: Question): Promise<void> {
    this.#isAsking = true
    const answer = await this.#answerTo(question)
    this.#isAsking = false
    this.#notBeforeMs = this.#options.clock.now() + pauseAfter(answer)
    this.#plan()
  }

  async #answerTo(question: Question): Promise<Answer<unknown>> {
    const { api, clock } = this.#options
    const atMs = clock.now()
    if (question.kind === 'notices') {
      const of = this.#view.opened
      ;[this.#noticesAtMs, this.#hasNews] = [atMs, false]
      const answer = await api.notices(of)
      if (answer.kind === 'data' && of === this.#view.opened) this.#changed({ notices: answer.data.notices })
      return answer
    }
    const { name } = question
    if (question.kind === 'rights') {
      const answer = await api.backlog(name)
      const isRefused = answer.kind === 'failed' && answer.status === 403
      if (name === this.#view.opened && (answer.kind === 'data' || isRefused)) this.#changed({ isOwner: !isRefused })
      return answer
    }
    const since = this.#view.sources.find((it) => it.name === name)?.state_since ?? ''
    this.#asked.set(name, { atMs, since })
    const answer = await api.source(name)
    if (answer.kind === 'data') this.#changed({ details: new Map(this.#view.details).set(name, answer.data) })
    return answer
  }

  #changed(changes: Partial<SourcesView>): void {
    this.#view = { ...this.#view, ...changes }
    for (const listener of this.#listeners) listener()
  }
}
