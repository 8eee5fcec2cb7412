import {
  type CallOptions,
  createFetch,
  type FetchOptions,
  type RetryPolicy,
  type RetryPolicyOptions,
  retryPolicy,
  type SluiceFetch,
} from '@sluice/fetch'
import { matcherOf } from './matcher.js'

/** An operation that is not retried like all the others, or one whose path looks like that of such an operation. */
export interface OperationRule {
  /** Upper case. */
  readonly method: string
  /** The document's template: `/items/{id}`. */
  readonly path: string
  /** In place of the policy for all. */
  readonly preset?: RetryPolicy
  /** Fields over that policy. */
  readonly fields?: RetryPolicyOptions
  readonly idempotent?: boolean
  /** One attempt: the document disables retries, or the answer is a stream of events. */
  readonly once?: true
}

/** What the document says of retries. */
export interface DocumentRules {
  readonly policy: RetryPolicy
  readonly idempotent: boolean
  /** Paths of the document's servers, without a slash at the end. */
  readonly basePaths: readonly string[]
  readonly operations: readonly OperationRule[]
}

/** Everything that `createFetch()` takes, and where the service is. */
export interface OperationFetchOptions extends FetchOptions {
  /** Under what URL the paths of the document are found. Default: the paths of its servers, on any host. */
  readonly baseUrl?: string | undefined
}

/** A client whose requests can be told apart by template, such as the generated one. */
export interface OperationClient {
  setConfig(config: { fetch: typeof fetch }): unknown
  readonly interceptors: {
    readonly request: { use(remember: (request: Request, options: { readonly url: string }) => Request): unknown }
  }
}

const templates = new WeakMap<Request, string>()
const watched = new WeakSet<OperationClient>()

const remember = (request: Request, options: { readonly url: string }): Request => {
  templates.set(request, options.url)
  return request
}

/** Lets a client send with `fetch`, and tells that fetch which operation a request is, whatever its base URL. */
export function useFetch<Client extends OperationClient>(client: Client, fetch: SluiceFetch): Client {
  client.setConfig({ fetch })
  if (!watched.has(client)) client.interceptors.request.use(remember)
  watched.add(client)
  return client
}

/** A fetch that knows the operations of a document. */
export function operationFetch(document: DocumentRules, options: OperationFetchOptions): SluiceFetch {
  const { baseUrl, ...given } = options
  const policy = given.policy ?? document.policy
  const idempotent = given.idempotent ?? document.idempotent
  const { find } = matcherOf(document.operations)
  const bases = baseUrl === undefined ? document.basePaths : [withoutSlash(new URL(baseUrl, NOWHERE).href)]

  const ruleOf = (input: string | URL | Request, method: string): OperationRule | undefined => {
    const template = isRequest(input) ? templates.get(input) : undefined
    if (template !== undefined) return find(method, template)
    const { origin, pathname } = new URL(isRequest(input) ? input.url : input, NOWHERE)
    const place = baseUrl === undefined ? pathname : origin + pathname
    for (const base of bases) {
      const rule = place.startsWith(base) ? find(method, place.slice(base.length)) : undefined
      if (rule) return rule
    }
    return undefined
  }

  const build = (plain: SluiceFetch, changes: CallOptions): SluiceFetch => {
    const forAll = plain.with(changes)
    const once = forAll.with({ maxAttempts: 1, throttleBudgetMs: null })
    const known = new Map<OperationRule, SluiceFetch>()
    const fetchOf = (rule: OperationRule): SluiceFetch => {
      if (rule.once) return once
      const own = retryPolicy(rule.fields, rule.preset ?? policy)
      return plain.with({ ...own, idempotent: rule.idempotent ?? idempotent }).with(changes)
    }
    const call = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const request = isRequest(input) ? input : undefined
      // The reader of a stream of events connects again by itself, with the id of the last one.
      if (new Headers(init?.headers ?? request?.headers).get('accept')?.includes('text/event-stream'))
        return once(input, init)
      const rule = ruleOf(input, (init?.method ?? request?.method ?? 'GET').toUpperCase())
      if (!rule) return forAll(input, init)
      const fetch = known.get(rule) ?? fetchOf(rule)
      known.set(rule, fetch)
      return fetch(input, init)
    }
    return Object.assign(call, {
      waiting: plain.waiting,
      passed: plain.passed,
      with: (more: CallOptions) => build(plain, { ...changes, ...more }),
    })
  }
  return build(createFetch({ ...given, policy, idempotent }), {})
}

/** Where relative URLs are put so that they can be compared. */
const NOWHERE = 'http://relative.invalid'

const isRequest = (input: string | URL | Request): input is Request => typeof input === 'object' && 'url' in input

const withoutSlash = (url: string): string => url.replace(/[?#].*$/s, '').replace(/\/$/, '')
