import type { Kernel } from 'agent-platform'
import type { Booted, BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import { packText, temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import type { Entry, Retrieval, SearchQuery } from '../contract.ts'

type Scope = Parameters<typeof boot>[0]

const collection = `contributes: { 'retrieval.collection': [{ key: 'papers.paper', make: () => ({
  name: 'Papers',
  list: async (_, project, after, limit) => (globalThis[Symbol.for('test.papers')]?.[project] ?? [])
    .filter(({ id }) => id > after).slice(0, limit)
}) }] }`

/** What the pack has of a project, by id. */
export const shelve = (papers: Readonly<Record<string, readonly (Entry & { owner: string })[]>>) =>
  Object.assign(globalThis, { [Symbol.for('test.papers')]: papers })

/** A platform with a pack whose collection is `papers.paper`; the built-in model gives vectors. */
export async function platform(t: Scope, options: BootOptions = {}) {
  const folder = await temporaryFolder(t)
  await writeFiles(folder, { 'papers/pack.ts': packText('papers', collection) })
  const packs = ['packs', 'outgoing', 'jobs', 'models', 'embeddings', 'retrieval', 'papers']
  return boot(t, ...packs, { folders: [folder], ...options })
}

/** What that pack may do, in a project. */
export function papers({ platform }: Booted, project = 'default') {
  const deps = () =>
    platform.server.current().packs.get('retrieval')?.deps as unknown as { retrieval: Retrieval } & Kernel
  const retrieval = () => deps().retrieval
  const owner = { project, owner: 'user_ada' }
  return {
    put: (...entries: Entry[]) =>
      deps().transaction((trx) => retrieval().put(trx, owner, 'papers.paper', entries)),
    remove: (which: Parameters<Retrieval['remove']>[3]) =>
      deps().transaction((trx) => retrieval().remove(trx, project, 'papers.paper', which)),
    embedded: (...ids: string[]) => retrieval().embedded(project, 'papers.paper', ids, { waitMs: 20_000 }),
    search: (query: string, scopes: string[], more: Partial<SearchQuery> = {}) =>
      retrieval().search({ project, collection: 'papers.paper', scopes, query, ...more }),
    progress: (scopes?: string[]) => retrieval().progress(project, 'papers.paper', scopes)
  }
}
