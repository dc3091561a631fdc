import type { Kernel } from 'agent-platform'
import type { RetrievalSettings } from '../settings.ts'

/** The extension `vector` of a database. */
export interface Extension {
  /** Quoted: where its types are. */
  readonly schema: string
  /** Whether a scan that found too little of a scope goes on by itself. */
  readonly iterates: boolean
  /** Numbers that a vector with an index may have. */
  readonly most: number
}

interface Deps extends Pick<Kernel, 'knex' | 'log'> {
  settings: RetrievalSettings
}
interface There {
  readonly offered: string | null
  readonly installed: string | null
  readonly schema: string | null
}

/** The extension, made where the database offers it and lets this user; undefined where vectors are searched in memory. */
export async function openExtension({ knex, log, settings }: Deps): Promise<Extension | undefined> {
  const { vectorStore } = settings
  if (vectorStore === 'memory') return undefined
  const look = async (): Promise<There | undefined> => {
    const { rows } = await knex.raw(
      `select a.default_version as offered, e.extversion as installed, quote_ident(n.nspname) as schema
        from pg_available_extensions a left join pg_extension e on e.extname = a.name
        left join pg_namespace n on n.oid = e.extnamespace where a.name = 'vector'`
    )
    return rows[0]
  }
  const instead = (reason: string) => {
    const message = 'vectors are searched in memory, since pgvector cannot be used'
    if (vectorStore === 'pgvector' || reason !== 'the database does not offer it')
      log.warn({ reason }, message)
    return undefined
  }
  let there = await look()
  if (!there) return instead('the database does not offer it')
  if (there.schema === null) {
    // Another instance may do the same now.
    const failed = await knex.raw('create extension if not exists vector').then(
      () => undefined,
      ({ message }: Error) => message
    )
    there = await look()
    if (!there || there.schema === null) return instead(failed ?? 'it could not be created')
  }
  const [major = 0, minor = 0] = (there.installed ?? '').split('.').map(Number)
  const since = (wanted: number) => major > 0 || minor >= wanted
  if (!since(5)) return instead(`version ${there.installed} has no HNSW`)
  return { schema: there.schema as string, iterates: since(8), most: since(7) ? 4_000 : 2_000 }
}
