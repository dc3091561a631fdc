/** A path as OpenAPI writes it, and the documented names of its parameters by the names the route gives them. */
export interface Template {
  readonly template: string
  readonly names: ReadonlyMap<string, string>
}

type Piece = { readonly text: string } | { readonly name: string }
const REST = '*'

/**
 * Templates of router patterns. Routes that give one position different names get one name for it, since
 * OpenAPI takes paths that differ in names alone for one: the name that most paths use, the longer one of two.
 */
export function templatesOf(patterns: Iterable<string>): ReadonlyMap<string, Template> {
  const paths = [...new Set(patterns)].sort().map((pattern) => ({ pattern, pieces: piecesOf(pattern) }))
  const given = new Map<string, string[]>()
  for (const { pieces } of paths)
    for (const { at, name } of positionsOf(pieces)) given.set(at, [...(given.get(at) ?? []), name])
  const chosen = new Map<string, string>()
  return new Map(paths.map(({ pattern, pieces }) => [pattern, templateOf(pieces, given, chosen)]))
}

function templateOf(
  pieces: readonly Piece[],
  given: ReadonlyMap<string, string[]>,
  chosen: Map<string, string>
): Template {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  let positions = positionsOf(pieces)
  const template = pieces.map((piece) => {
    if ('text' in piece) return piece.text
    const [{ at, name } = { at: '', name: '' }, ...rest] = positions
    positions = rest
    const known = chosen.get(at) ?? choose(given.get(at) ?? [], taken)
    chosen.set(at, known)
    taken.add(known)
    const shared = name === REST && (given.get(at) ?? []).some((other) => other !== REST)
    const own = shared ? choose([REST], taken) : known
    names.set(name, own)
    // A parameter at the same place is served first: the rest begins one segment deeper.
    return shared ? `{${known}}/{${own}}` : `{${own}}`
  })
  return { template: template.join(''), names }
}

function choose(names: readonly string[], taken: ReadonlySet<string>): string {
  const count = new Map<string, number>()
  for (const name of names) if (name !== REST) count.set(name, (count.get(name) ?? 0) + 1)
  const wanted = [...count].sort(([a, ofA], [b, ofB]) => ofB - ofA || b.length - a.length || (a < b ? -1 : 1))
  const candidates = [...wanted.map(([name]) => name), 'path']
  const free = candidates.find((name) => !taken.has(name))
  return free ?? numbered(candidates[0] as string, taken)
}

function numbered(name: string, taken: ReadonlySet<string>): string {
  let number = 2
  while (taken.has(`${name}${number}`)) number++
  return `${name}${number}`
}

/** Where each parameter stands: the path before it, without names. */
function positionsOf(pieces: readonly Piece[]): { at: string; name: string }[] {
  let before = ''
  return pieces.flatMap((piece) => {
    const at = before
    before += 'text' in piece ? piece.text : '{}'
    return 'text' in piece ? [] : [{ at, name: piece.name }]
  })
}

/** Pieces of a pattern: `:name`, `:name(regular expression)`, `*` for the rest, `::` for a colon. */
export function piecesOf(pattern: string): Piece[] {
  const pieces: Piece[] = []
  const parts = /::|:([A-Za-z0-9_]+)(?:\([^/]*\))?\??|(\*)|[^:*]+/g
  for (const [part, name, rest] of pattern.matchAll(parts)) {
    const last = pieces.at(-1)
    if (name ?? rest) pieces.push({ name: name ?? REST })
    else if (last && 'text' in last) pieces[pieces.length - 1] = { text: last.text + textOf(part) }
    else pieces.push({ text: textOf(part) })
  }
  return pieces
}

const textOf = (part: string): string => (part === '::' ? ':' : part)

/** Type of the thing that the last parameter of a path stands for: `agent` of `/v1/agents/:agentId/runs`. */
export function subjectOf(pattern: string): string {
  const pieces = piecesOf(pattern)
  const last = pieces.findLastIndex((piece) => 'name' in piece && piece.name !== REST)
  const [before, parameter] = [pieces[last - 1], pieces[last]]
  if (!parameter || !('name' in parameter)) return ''
  if (parameter.name !== 'id') return parameter.name.replace(/Id$/, '')
  const word = before && 'text' in before ? before.text.split('/').findLast(Boolean) : undefined
  return word?.replace(/s$/, '') ?? ''
}
