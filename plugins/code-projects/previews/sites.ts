import type { Kernel } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { PublicationStore, Site } from '../publications/store.ts'
import { CHANGED } from './addresses.ts'

export type Sites = ReturnType<typeof createSites>

/** A file of a publication. */
export interface Found {
  readonly path: string
  readonly sha256: string
  readonly size: number
  readonly etag: string
}
type Files = ReadonlyMap<string, Found>

const SITES = 5_000
/** Files that are known of all publications together, by their names. */
const FILES = 200_000
const BELIEVE_MS = 30_000

interface Deps extends Pick<Kernel, 'signals'> {
  publicationStore: PublicationStore
}

/** What addresses of previews lead to, from memory as a rule. */
export function createSites({ signals, publicationStore }: Deps) {
  const sites = new LRUCache<string, Site>({ max: SITES, ttl: BELIEVE_MS })
  const files = new LRUCache<string, Files>({ maxSize: FILES, sizeCalculation: (it) => it.size + 1 })
  const asked = new Map<string, Promise<unknown>>()
  let changes = 0
  let hearing: Disposable | undefined

  /** One look for all that ask at a time. */
  function once<T>(key: string, load: () => Promise<T>): Promise<T> {
    const known = asked.get(key)
    if (known) return known as Promise<T>
    const looking = load().finally(() => asked.delete(key))
    asked.set(key, looking)
    return looking
  }

  async function loadSite(name: string): Promise<Site | undefined> {
    const [, slug, number] = /^([a-z0-9-]{1,64})(?:~([1-9]\d{0,8}))?$/.exec(name) ?? []
    if (slug === undefined) return undefined
    const before = changes
    const site = await publicationStore.findSite(slug, number === undefined ? undefined : Number(number))
    // What was read may be older than a change that was heard of meanwhile. What is not there is not remembered.
    if (site && before === changes) sites.set(name, site)
    return site
  }

  async function loadFiles(id: string): Promise<Files> {
    const assets = await publicationStore.findAssets(id)
    const found: Files = new Map(
      assets.map(([path, sha256, size]) => [path, { path, sha256, size, etag: `"${sha256}"` }])
    )
    files.set(id, found)
    return found
  }

  return {
    listen(): void {
      hearing ??= signals.on(CHANGED, (slug) => {
        changes++
        for (const name of sites.keys()) if (name === slug || name.startsWith(`${slug}~`)) sites.delete(name)
      })
    },
    deafen(): void {
      hearing?.[Symbol.dispose]()
      hearing = undefined
    },
    /** By its slug, or `<slug>~<number>`; at once where it is known. */
    of: (name: string): Site | Promise<Site | undefined> =>
      sites.get(name) ?? once(name, () => loadSite(name)),
    files: (id: string): Files | Promise<Files> => files.get(id) ?? once(id, () => loadFiles(id))
  }
}
