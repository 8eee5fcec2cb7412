/** A path template of the document, ready to be compared with the paths of requests. */
interface Template<Rule> {
  readonly rule: Rule
  readonly pattern: RegExp
  /** One digit a segment: 0 literal, 1 mixed, 2 a parameter. The least is the most literal. */
  readonly rank: string
}

/** Finds what the document says of a request. */
export interface Matcher<Rule> {
  /** @param path from the server's base path on: a template of the document, or a path without a query */
  find(method: string, path: string): Rule | undefined
}

/** Of several templates that fit a path, the most literal from the left wins: `/users/me` before `/users/{id}`. */
export function matcherOf<Rule extends { readonly method: string; readonly path: string }>(
  rules: readonly Rule[],
): Matcher<Rule> {
  const exact = new Map(rules.map((rule) => [`${rule.method} ${rule.path}`, rule]))
  const templates = new Map<string, Template<Rule>[]>()
  for (const rule of rules) {
    const ofMethod = templates.get(rule.method) ?? []
    templates.set(rule.method, ofMethod)
    ofMethod.push(templateOf(rule))
  }
  for (const ofMethod of templates.values()) ofMethod.sort((a, b) => (a.rank < b.rank ? -1 : Number(a.rank > b.rank)))
  return {
    find: (method, path) =>
      exact.get(`${method} ${path}`) ?? templates.get(method)?.find(({ pattern }) => pattern.test(path))?.rule,
  }
}

const PARAMETER = /%7B.+?%7D/g

function templateOf<Rule extends { readonly path: string }>(rule: Rule): Template<Rule> {
  // Through URL, so that it is encoded as the path of a request is; its braces become %7B and %7D.
  const { pathname } = new URL(`http://host${rule.path.replace(/^(?!\/)/, '/')}`)
  const literals = pathname.split(PARAMETER).map((literal) => literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const rank = pathname.split('/').map((segment) => {
    const literal = segment.replace(PARAMETER, '')
    return literal === segment ? 0 : literal === '' ? 2 : 1
  })
  return { rule, pattern: new RegExp(`^${literals.join('[^/]+')}$`), rank: rank.join('') }
}
