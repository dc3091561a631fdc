import type { Candidate } from '../stores/links.ts'
import type { Link } from './links.ts'
import { stemOf } from './names.ts'

const stemPath = (path: string): string => stemOf(path).toLowerCase()
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1).toLowerCase()

/** The last segment of a link's target, by which documents are looked up. */
export const keyOf = (target: string): string => target.slice(target.lastIndexOf('/') + 1)

/**
 * The document that a link in the text at `from` leads to, of those that have its key for a name. A path is one place. A
 * name is that of the document whose path ends so, else of any: current names before former ones, the same folder before
 * others, few folders before many, the oldest of what is left.
 */
export function resolve(
  { kind, target }: Pick<Link, 'kind' | 'target'>,
  from: string,
  candidates: readonly Candidate[]
): string | null {
  if (kind === 'path')
    return candidates.find(({ path, rank }) => rank === 0 && stemPath(path) === target)?.documentId ?? null
  const exact = target.includes('/')
    ? candidates.filter(({ path }) => `/${stemPath(path)}`.endsWith(`/${target}`))
    : []
  const order = (it: Candidate): readonly number[] => [
    it.rank,
    folderOf(it.path) === folderOf(from) ? 0 : 1,
    it.path.split('/').length
  ]
  const [best] = [...(exact.length > 0 ? exact : candidates)].sort((a, b) => {
    const [one, other] = [order(a), order(b)]
    const differs = one.findIndex((value, index) => value !== other[index])
    return differs < 0 ? (a.documentId < b.documentId ? -1 : 1) : (one[differs] ?? 0) - (other[differs] ?? 0)
  })
  return best?.documentId ?? null
}
