import type { Kernel, WorkerLane } from 'agent-platform'
import { createWorkerLane, threadOf, unavailable, unlessAborted } from 'agent-platform'
import type { RetrievalSettings } from '../settings.ts'
import type { Change, VectorRows } from '../stores/vectors.ts'
import type { MatrixAnswer, MatrixQuestion } from './matrix-worker.ts'
import type { VectorQuery, VectorStore } from './store.ts'

/** Rows that are read at once, and those that are read of changes before it is cheaper to begin anew. */
const PAGE = 2_000
const MOST_CHANGES = 5_000
/** Removals are known for longer than what is in memory is used without a look at them. */
const FRESH_MS = 6 * 3_600_000
const STUCK_MS = 30_000

interface Known {
  /** What of the database lies in memory, as a snapshot of PostgreSQL; the thread may have lost it meanwhile. */
  readonly seen: string
  readonly at: number
}
interface Memory {
  readonly lane: WorkerLane<MatrixQuestion, MatrixAnswer | 'lost'>
  readonly known: Map<string, Promise<Known>>
}
interface Deps extends Pick<Kernel, 'shared'> {
  settings: RetrievalSettings
  vectorRows: VectorRows
}

const keyOf = ({ project, collection, model }: Omit<VectorQuery, 'scopes'>, scope: string) =>
  JSON.stringify([project, collection, scope, model])
const nearestOf = (answer: MatrixAnswer | 'lost') => {
  if (answer === 'lost' || !('nearest' in answer)) throw lost()
  return answer
}
const lost = () => unavailable('What was searched in memory was lost', { code: 'search_lost' })

/**
 * Matrices of scopes in a worker thread, read when a scope is first searched. Before each search it reads what was
 * committed since the one before, on whatever instance, by snapshots of the database; so nothing depends on a signal.
 */
export function createVectorMemory({ shared, settings, vectorRows }: Deps): VectorStore {
  const maxBytes = settings.memoryMb * 1_048_576
  const open = async (): Promise<Memory> => ({
    lane: createWorkerLane({
      start: threadOf(new URL('./matrix-worker.ts', import.meta.url), { memoryMb: 192 }),
      lost: () => 'lost' as const,
      tooMany: 'Too many searches wait',
      most: { ofOwner: 4_096, ofProject: 4_096 },
      stuckMs: STUCK_MS,
      ahead: 2
    }),
    known: new Map()
  })
  const memory = shared(`matrices/1/${maxBytes}`, open, async ({ lane }) => lane.close())
  memory.catch(() => undefined)

  const ask = async (query: VectorQuery, question: MatrixQuestion) =>
    (await memory).lane.ask({ project: query.project, owner: query.collection }, question, query.signal)

  async function add(
    query: VectorQuery,
    key: string,
    rows: readonly Pick<Change, 'number' | 'numbers'>[],
    isFirst: boolean
  ) {
    const { length: dimensions } = query.vector
    const fitting = rows.filter(({ numbers }) => numbers?.length === dimensions * 4)
    const floats = new Float32Array(fitting.length * dimensions)
    const bytes = Buffer.from(floats.buffer)
    for (const [at, { numbers }] of fitting.entries()) numbers?.copy(bytes, at * dimensions * 4)
    const numbers = Float64Array.from(fitting, ({ number }) => number)
    const begin = isFirst ? { begin: { dimensions, maxBytes } } : {}
    return ask(query, { do: 'add', key, numbers, rows: floats, ...begin })
  }

  async function load(query: VectorQuery, key: string, scope: string): Promise<Known> {
    const [seen, at] = [await vectorRows.snapshot(), performance.now()]
    let next = vectorRows.listPage(query, scope, { written: '0', number: 0 }, PAGE)
    for (let isFirst = true; ; isFirst = false) {
      const page = await next
      const last = page.length < PAGE ? undefined : page.at(-1)
      // The database reads the next ones meanwhile.
      if (last) next = vectorRows.listPage(query, scope, last, PAGE)
      next.catch(() => undefined)
      const answer = await add(query, key, page, isFirst)
      if (answer === 'lost' || !('done' in answer) || !answer.done)
        throw unavailable('What is searched does not fit in memory', { code: 'search_too_large' })
      if (!last) return { seen, at }
    }
  }

  /** Those that lie in memory, read now where they do not. */
  async function loaded(query: VectorQuery): Promise<readonly (readonly [scope: string, known: Known])[]> {
    const { known } = await memory
    const all: (readonly [string, Known])[] = []
    for (const scope of query.scopes) {
      const key = keyOf(query, scope)
      let found = await known.get(key)?.catch(() => undefined)
      if (!found || performance.now() - found.at > FRESH_MS) {
        const loading = load({ ...query, signal: undefined }, key, scope)
        known.set(key, loading)
        loading.catch(() => known.get(key) === loading && known.delete(key))
        found = await loading
      }
      all.push([scope, found])
    }
    return all
  }

  /** What was committed since then comes into memory. */
  async function refresh(query: VectorQuery, all: readonly (readonly [string, Known])[]): Promise<void> {
    const { project, collection, model } = query
    const { known } = await memory
    const since = all.map(([scope, { seen }]) => [scope, seen] as const)
    const { now, changes } = await vectorRows.listChanges(project, collection, model, since, MOST_CHANGES)
    const byScope = Map.groupBy(changes, ({ scope }) => scope)
    for (const [scope, { at, seen }] of all) {
      const key = keyOf(query, scope)
      const changed = byScope.get(scope) ?? []
      if (changes.length >= MOST_CHANGES) known.delete(key)
      const gone = changed.flatMap(({ number, numbers }) => (numbers === null ? number : []))
      const there = changed.filter(({ number, numbers }) => numbers !== null && !gone.includes(number))
      if (there.length > 0) await add(query, key, there, false)
      if (gone.length > 0) await ask(query, { do: 'remove', key, numbers: Float64Array.from(gone) })
      const before = await known.get(key)
      if (before?.seen === seen) known.set(key, Promise.resolve({ seen: now, at }))
    }
    if (changes.length >= MOST_CHANGES) throw lost()
  }

  async function find(query: VectorQuery) {
    const { known } = await memory
    for (let attempt = 1; ; attempt++) {
      try {
        await refresh(query, await loaded(query))
        const { vector, limit, scopes, allowed } = query
        const keys = scopes.map((scope) => keyOf(query, scope))
        const numbers = allowed && { allowed: Float64Array.from(allowed) }
        const found = nearestOf(await ask(query, { do: 'search', keys, vector, limit, ...numbers }))
        if (found.missing.length === 0) return found.nearest
        for (const key of found.missing) known.delete(key)
        if (attempt === 3) throw lost()
      } catch (error) {
        if (attempt === 3 || (error as { code?: string }).code !== 'search_lost') throw error
        for (const scope of query.scopes) known.delete(keyOf(query, scope))
      }
    }
  }

  const search = (query: VectorQuery) =>
    query.signal ? unlessAborted(query.signal, find(query)) : find(query)

  return { insert: vectorRows.insert, removeOf: vectorRows.removeOf, search, index: async () => undefined }
}
