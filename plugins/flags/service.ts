import type { Kernel, Paging, Principal } from 'agent-platform'
import { invalid, notFound, pageOf, preconditionFailed } from 'agent-platform'
import type { Evaluator, Flag } from './evaluator.ts'
import { createEvaluator, typeOf } from './evaluator.ts'
import type { Definition, DefinitionReplacement, Evaluation } from './schemas.ts'
import type { FlagSettings } from './settings.ts'
import type { FlagRow, FlagStore } from './store.ts'

export type FlagService = ReturnType<typeof createFlagService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'remembered'> {
  settings: FlagSettings
  flagStore: FlagStore
}

interface Known {
  readonly definitions: ReadonlyMap<string, Definition>
  readonly evaluator: Evaluator
}

const ALL = 'all'
/** For so long a change may be unknown whose signal was lost. */
const BELIEVE_MS = 30_000

/** Flags of the deployment, and what operators set in their place. */
export function createFlagService({ transaction, facts, remembered, settings, flagStore }: Deps) {
  const deployed = readDocument(settings.definitions)
  const known = remembered('flags.changed', async () => knownOf(deployed, await flagStore.list()), BELIEVE_MS)

  async function evaluate(by: Principal, key: string): Promise<Evaluation> {
    const { definitions, evaluator } = await known.of(ALL)
    const definition = definitions.get(key)
    if (!definition) throw notFound('Flag')
    return evaluationOf(definition, evaluator, by)
  }

  async function value<T extends boolean | string | number>(by: Principal, key: string, otherwise: T) {
    const { definitions, evaluator } = await known.of(ALL)
    if (!definitions.has(key)) return otherwise
    const { value } = evaluator(key, by)
    return typeof value === typeof otherwise ? (value as T) : otherwise
  }

  async function list(by: Principal, page: Paging) {
    const { definitions, evaluator } = await known.of(ALL)
    const { data, nextCursor } = pageOf('flags', [...definitions.values()], page)
    return { data: data.map((definition) => evaluationOf(definition, evaluator, by)), nextCursor }
  }

  async function read(key: string): Promise<Definition> {
    const definition = (await known.of(ALL)).definitions.get(key)
    if (!definition) throw notFound('Flag')
    return definition
  }

  async function set(by: Principal, key: string, given: DefinitionReplacement, version?: number) {
    const flag = flagOf(given)
    check(by, key, flag)
    const made = await transaction(async (trx) => {
      const before = await flagStore.lock(trx, key)
      const current = before?.version ?? (key in deployed ? 0 : undefined)
      if (version !== undefined && version !== current)
        throw preconditionFailed(
          'If-Match does not match the current version. Fetch the flag and retry with its ETag.'
        )
      const row = before
        ? await flagStore.update(trx, key, flag, by.id)
        : ((await flagStore.insert(trx, key, flag, by.id)) ?? (await flagStore.update(trx, key, flag, by.id)))
      const data = { key, version: row.version }
      await facts.record(trx, 'flags.updated', by, { subject: key, owner: by.owner, data })
      return { definition: definitionOf(row), isNew: current === undefined }
    })
    known.changed(ALL)
    return made
  }

  async function remove(by: Principal, key: string, version?: number) {
    await transaction(async (trx) => {
      const before = await flagStore.lock(trx, key)
      if (!before) throw notFound('Flag')
      if (version !== undefined && version !== before.version)
        throw preconditionFailed(
          'If-Match does not match the current version. Fetch the flag and retry with its ETag.'
        )
      await flagStore.remove(trx, key)
      await facts.record(trx, 'flags.deleted', by, { subject: key, owner: by.owner, data: { key } })
    })
    known.changed(ALL)
    return { id: key, deleted: true as const }
  }

  return { evaluate, value, list, read, set, remove, stop: () => known[Symbol.dispose]() }
}

/** Throws, which refuses the change of the setting. */
function readDocument(text: string): Readonly<Record<string, Flag>> {
  const { flags = {} } = JSON.parse(text) as { flags?: Record<string, Flag> }
  createEvaluator(flags)
  return flags
}

function knownOf(deployed: Readonly<Record<string, Flag>>, rows: readonly FlagRow[]): Known {
  const definitions = new Map<string, Definition>()
  for (const [key, flag] of Object.entries(deployed))
    definitions.set(key, {
      ...shown(key, flag),
      ...{ source: 'deployment', version: 0, updatedBy: null, updatedAt: null }
    })
  for (const row of rows) definitions.set(row.key, definitionOf(row))
  const set = Object.fromEntries(rows.map(({ key, definition }) => [key, definition]))
  const sorted = [...definitions].sort(([a], [b]) => (a < b ? -1 : 1))
  return { definitions: new Map(sorted), evaluator: createEvaluator({ ...deployed, ...set }) }
}

const shown = (
  key: string,
  { state, variants, defaultVariant = null, targeting = {}, metadata = {} }: Flag
) => ({
  key,
  state,
  variants,
  defaultVariant,
  targeting,
  metadata
})
const definitionOf = ({ key, definition, version, updatedBy, updatedAt }: FlagRow): Definition => ({
  ...shown(key, definition),
  source: 'platform',
  version,
  updatedBy,
  updatedAt: new Date(updatedAt).toISOString()
})
const flagOf = ({ state, variants, defaultVariant, targeting, metadata }: DefinitionReplacement): Flag => ({
  state,
  variants,
  ...(defaultVariant != null && { defaultVariant }),
  ...(targeting && Object.keys(targeting).length > 0 && { targeting }),
  ...(metadata && { metadata })
})

function evaluationOf(
  { key, source, metadata }: Definition,
  evaluator: Evaluator,
  by: Principal
): Evaluation {
  return { key, ...evaluator(key, by), source, metadata }
}

/** What flagd would only find when it is asked. */
function check(by: Principal, key: string, flag: Flag): void {
  const values = Object.values(flag.variants)
  if (new Set(values.map(typeOf)).size > 1 || values.includes(null))
    throw invalid('/variants', '/variants must be values of one type')
  if (flag.defaultVariant != null && !(flag.defaultVariant in flag.variants))
    throw invalid('/defaultVariant', '/defaultVariant must be one of /variants')
  try {
    const { error } = createEvaluator({ [key]: { ...flag, state: 'ENABLED' } })(key, by)
    if (error) throw new Error(error)
  } catch (error) {
    throw invalid('/targeting', `Not a flag: ${(error as Error).message}`)
  }
}
