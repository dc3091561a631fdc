import type { Trx } from 'agent-platform'
import type { StoredDocument } from '../schemas/documents.ts'
import type { Place } from '../stores/documents.ts'
import type { Candidate, LinkStore, StoredLink } from '../stores/links.ts'
import type { Analysis } from '../text/analysis.ts'
import { stemOf } from '../text/names.ts'
import { keyOf, resolve } from '../text/resolution.ts'

export type Linking = ReturnType<typeof createLinking>

export interface Analysed {
  readonly row: StoredDocument
  readonly analysis: Pick<Analysis, 'aliases' | 'links'>
}

/** Links that are looked at again when documents come, move or go. */
const MOST_AT_ONCE = 20_000
const MAX_KEY = 500

/** Links between documents: kept by id, so that they hold when what they name is renamed or moved. */
export function createLinking({ linkStore }: { linkStore: LinkStore }) {
  /** The names and links of these documents, whose texts are new, and links of others that waited for them. */
  async function update(trx: Trx, at: Place, documents: readonly Analysed[]): Promise<void> {
    await name(trx, at, documents)
    const ids = documents.map(({ row }) => row.id)
    const before = await linkStore.listOf(trx, at.project, ids)
    // The same words in the same text lead where they led.
    const kept = new Map(before.map((link) => [placeOf(link.fromId, link), link.toId]))
    const found = documents.flatMap(({ row, analysis }) =>
      analysis.links(row.path).map((link, ordinal) => ({
        ...link,
        ordinal,
        row,
        key: keyOf(link.target).slice(0, MAX_KEY)
      }))
    )
    const candidates = await candidatesOf(trx, at, found)
    const links = found.map(({ row, ...link }): StoredLink => {
      const known = kept.get(placeOf(row.id, link))
      return {
        ...link,
        fromId: row.id,
        toId: known ?? resolve(link, row.path, candidates.get(link.key) ?? [])
      }
    })
    await linkStore.replaceAll(trx, at, ids, links)
    await relink(trx, at, documents.flatMap(keysOf))
  }

  async function name(trx: Trx, at: Place, documents: readonly Analysed[]): Promise<void> {
    const names = documents.flatMap(({ row, analysis }) => [
      ...ownNames(row),
      ...analysis.aliases.map((alias) => ({ documentId: row.id, key: keyed(alias), rank: 2 }))
    ])
    await linkStore.replaceNames(trx, at, names, [0, 1, 2])
  }

  /** Of a document that is called otherwise now, or lies elsewhere: links hold its id, and stay. */
  async function rename(trx: Trx, at: Place, row: StoredDocument): Promise<void> {
    await linkStore.replaceNames(trx, at, ownNames(row), [0, 1])
    await relink(
      trx,
      at,
      ownNames(row).map(({ key }) => key)
    )
  }

  /** Links that lead nowhere, by these names or by any, lead where there is something now. */
  async function relink(trx: Trx, at: Place, keys?: readonly string[]): Promise<void> {
    const dangling = await linkStore.listDangling(trx, at, keys, MOST_AT_ONCE)
    if (dangling.length === 0) return
    const candidates = await candidatesOf(trx, at, dangling)
    const found = dangling.flatMap(({ path, ...link }) => {
      const toId = resolve(link, path, candidates.get(link.key) ?? [])
      return toId === null ? [] : [{ fromId: link.fromId, ordinal: link.ordinal, toId }]
    })
    if (found.length > 0) await linkStore.updateTargets(trx, at.project, found)
  }

  async function remove(trx: Trx, at: Place, ids: readonly string[]): Promise<void> {
    await relink(trx, at, await linkStore.removeOf(trx, at.project, ids))
  }

  async function candidatesOf(trx: Trx, at: Place, links: readonly { key: string }[]) {
    const keys = [...new Set(links.map(({ key }) => key))]
    const all = keys.length === 0 ? [] : await linkStore.listCandidates(trx, at, keys)
    return Map.groupBy<string, Candidate>(all, ({ key }) => key)
  }

  return { update, rename, relink, remove }
}

const keyed = (name: string): string => keyOf(name.toLowerCase()).slice(0, MAX_KEY)
const ownNames = ({ id: documentId, name, title }: StoredDocument) => [
  { documentId, key: keyed(stemOf(name)), rank: 0 },
  { documentId, key: keyed(title), rank: 1 }
]
const placeOf = (fromId: string, { kind, target }: Pick<StoredLink, 'kind' | 'target'>) =>
  `${fromId} ${kind} ${target}`
const keysOf = ({ row, analysis }: Analysed): string[] => [
  ...ownNames(row).map(({ key }) => key),
  ...analysis.aliases.map(keyed)
]
