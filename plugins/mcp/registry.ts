import { readCapped, trimEndOf } from 'agent-platform'
import type { MarketplaceServer } from './schemas/marketplace.ts'

interface Wanted {
  readonly limit: number
  readonly cursor: string | undefined
  readonly search: string | undefined
}
type Json = Readonly<Record<string, unknown>>

const SECONDS = 10
const MOST_BYTES = 8 * 1024 * 1024
const MOST_PARTS = 20

/** A page of a registry in the official format. Its address is the operator's own, so it is not guarded. */
export async function readRegistry(
  base: string,
  { limit, cursor, search }: Wanted
): Promise<{ data: MarketplaceServer[]; next: string | undefined }> {
  const url = new URL(`${trimEndOf(base, '/')}/v0.1/servers`)
  url.searchParams.set('limit', String(limit))
  url.searchParams.set('version', 'latest')
  if (cursor !== undefined) url.searchParams.set('cursor', cursor)
  if (search !== undefined) url.searchParams.set('search', search)
  const reply = await fetch(url, { signal: AbortSignal.timeout(SECONDS * 1_000) })
  if (!reply.ok) throw new Error(`status ${reply.status}`)
  const { servers, metadata } = JSON.parse(await read(reply)) as Json
  if (!Array.isArray(servers)) throw new Error('no servers')
  const next = (metadata as Json | undefined)?.nextCursor
  return {
    data: servers.flatMap((it) => (isCurrent(it) ? sound((it as Json).server) : [])),
    next: typeof next === 'string' && next !== '' && next.length <= 400 ? next : undefined
  }
}

async function read(reply: Response): Promise<string> {
  const { bytes, cut } = await readCapped(reply.body, MOST_BYTES)
  if (cut) throw new Error('too large')
  return bytes.toString()
}

const text = (value: unknown, most = 2_000): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, most) : null
const list = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((it) => typeof it === 'object' && it !== null).slice(0, MOST_PARTS) : []
const address = (value: unknown): string | null => {
  const url = text(value)
  return url !== null && /^https?:\/\//i.test(url) ? url : null
}
const transports: Json = { 'streamable-http': 'http', http: 'http', sse: 'sse' }

const OFFICIAL = 'io.modelcontextprotocol.registry/official'
/** Not an old version, and not taken back, as far as the registry says. */
function isCurrent(entry: unknown): boolean {
  const about = ((entry as Json | null)?._meta as Json | undefined)?.[OFFICIAL] as Json | undefined
  return entry !== null && about?.isLatest !== false && about?.status !== 'deleted'
}

/** What is no server is left out. */
function sound(server: unknown): MarketplaceServer[] {
  if (typeof server !== 'object' || server === null) return []
  const it = server as Json
  const name = text(it.name, 300)
  if (name === null) return []
  return [
    {
      name,
      title: text(it.title, 300),
      description: text(it.description) ?? '',
      version: text(it.version, 100),
      websiteUrl: address(it.websiteUrl),
      repositoryUrl: address((it.repository as Json | undefined)?.url),
      remotes: list(it.remotes).flatMap((remote) => {
        const transport = transports[String(remote.type)]
        // Some have places to fill, which is for people to do.
        const url = address(remote.url)
        return typeof transport === 'string' && url !== null ? [{ transport, url }] : []
      }),
      packages: list(it.packages).flatMap((one) => {
        const identifier = text(one.identifier, 500)
        if (identifier === null) return []
        return [{ registry: text(one.registryType, 50) ?? '', identifier, version: text(one.version, 100) }]
      }),
      source: 'registry'
    }
  ]
}
