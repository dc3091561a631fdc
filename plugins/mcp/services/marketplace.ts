import type { Kernel, PageOf, Paging } from 'agent-platform'
import { invalid, pageOf } from 'agent-platform'
import { catalogue } from '../catalogue.ts'
import { readRegistry } from '../registry.ts'
import type { MarketplaceServer } from '../schemas/marketplace.ts'
import type { McpSettings } from '../settings.ts'

export type Marketplace = ReturnType<typeof createMarketplace>

interface Deps extends Pick<Kernel, 'cache' | 'log'> {
  settings: McpSettings
}
interface Wanted {
  readonly limit?: number
  readonly cursor?: string
  readonly search?: string
}
type Listed = PageOf<MarketplaceServer>

const FRESH_MS = 600_000
/** How long a registry that could not be read is not asked again. */
const AWAY_MS = 30_000
/** Pages without anything that was searched for that are passed over. */
const MOST_PAGES = 5
/** What begins a cursor: it goes on where it came from, also when the other one is what is asked now. */
const REGISTRY = 'registry '
const CATALOGUE = 'catalogue'

/** Public servers: of a registry, else of the catalogue that comes with the pack. */
export function createMarketplace({ settings, cache, log }: Deps) {
  const pages = cache('mcp.marketplace')
  const { mcpRegistryUrl: url } = settings

  async function list({ limit = 20, cursor, search }: Wanted): Promise<Listed> {
    const at = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString()
    const page = { limit, ...(cursor !== undefined && { cursor }) }
    if (url === 'off' || at?.startsWith(CATALOGUE)) return ofCatalogue(page, search)
    if (at !== undefined && (!at.startsWith(REGISTRY) || write(at) !== cursor))
      throw invalid('cursor', 'Invalid cursor. Use nextCursor from the previous page of this list.')
    const from = at?.slice(REGISTRY.length)
    const key = JSON.stringify([url, limit, from, search])
    const away = JSON.stringify([url, 'away'])
    const known = await pages.get<Listed>(key)
    if (known) return known
    // In the middle of its list there is nothing else to go on with.
    const instead = () => (from === undefined ? ofCatalogue(page, search) : { data: [], nextCursor: null })
    if (await pages.get(away)) return instead()
    try {
      const read = await ofRegistry(from, limit, search)
      await pages.set(key, read, FRESH_MS)
      return read
    } catch (error) {
      log.warn({ error: (error as Error).name }, 'the registry of tool servers cannot be read')
      await pages.set(away, true, AWAY_MS)
      return instead()
    }
  }

  /** The registry searches in whole names, of which the first half is that of the publisher's host. */
  async function ofRegistry(from: string | undefined, limit: number, search: string | undefined) {
    let cursor = from
    for (let page = 1; ; page++) {
      const { data, next } = await readRegistry(url, { limit, cursor, search })
      const found = data.filter(matches(search))
      cursor = next
      if (found.length > 0 || cursor === undefined || page === MOST_PAGES)
        return { data: found, nextCursor: cursor === undefined ? null : write(REGISTRY + cursor) }
    }
  }

  return { list }
}

/** In what people call a server and say of it, and in its whole name only where that is what is searched for. */
function matches(search: string | undefined) {
  const words = search?.toLowerCase() ?? ''
  return ({ name, title, description }: MarketplaceServer): boolean => {
    const called = /[./]/.test(words) ? name : name.slice(name.lastIndexOf('/') + 1)
    return [called, title, description].some((it) => it?.toLowerCase().includes(words))
  }
}

const ofCatalogue = (page: Paging, search: string | undefined): Listed =>
  pageOf(CATALOGUE, catalogue.filter(matches(search)), page)

const write = (text: string): string => Buffer.from(text).toString('base64url')
