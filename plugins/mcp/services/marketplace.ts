import type { Kernel } from 'agent-platform'
import { invalid } from 'agent-platform'
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
interface Listed {
  readonly data: MarketplaceServer[]
  readonly nextCursor: string | null
}

const FRESH_MS = 600_000
/** What begins a cursor: it goes on where it came from, also when the other one is what is asked now. */
const OF_REGISTRY = 'r'
const OF_CATALOGUE = 'c'

/** Servers that everybody can use: of a registry, else of the catalogue that comes with the pack. */
export function createMarketplace({ settings, cache, log }: Deps) {
  const pages = cache('mcp.marketplace')
  const { mcpRegistryUrl: url } = settings

  async function list({ limit = 20, cursor, search }: Wanted): Promise<Listed> {
    const at = cursor === undefined ? undefined : read(cursor)
    if (url === undefined || at?.of === OF_CATALOGUE) return ofCatalogue(at?.place, limit, search)
    if (at && at.of !== OF_REGISTRY) throw notOfThisList()
    const key = JSON.stringify([url, limit, at?.place, search])
    const known = await pages.get<Listed>(key)
    if (known) return known
    try {
      const { data, next } = await readRegistry(url, { limit, cursor: at?.place, search })
      const page = { data, nextCursor: next === undefined ? null : write(OF_REGISTRY, next) }
      await pages.set(key, page, FRESH_MS)
      return page
    } catch (error) {
      log.warn({ error: (error as Error).name }, 'the registry of tool servers cannot be read')
      // In the middle of its list there is nothing else to go on with.
      return at ? { data: [], nextCursor: null } : ofCatalogue(undefined, limit, search)
    }
  }

  return { list }
}

function ofCatalogue(place: string | undefined, limit: number, search: string | undefined): Listed {
  const from = place === undefined ? 0 : Number(place)
  if (!Number.isSafeInteger(from) || from < 0) throw notOfThisList()
  const words = search?.toLowerCase()
  const all = catalogue.filter(
    ({ name, title, description }) =>
      words === undefined || [name, title, description].some((it) => it?.toLowerCase().includes(words))
  )
  const to = from + limit
  return { data: all.slice(from, to), nextCursor: to < all.length ? write(OF_CATALOGUE, String(to)) : null }
}

const write = (of: string, place: string): string => Buffer.from(`${of}${place}`).toString('base64url')
function read(cursor: string) {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (Buffer.from(text).toString('base64url') !== cursor || text.length < 2) throw notOfThisList()
  return { of: text.slice(0, 1), place: text.slice(1) }
}
const notOfThisList = () => invalid('cursor', 'Not a cursor of this list')
