import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import type { Kernel, Trx } from 'agent-platform'
import type { Knex } from 'knex'
import knexOf from 'knex'
import { pino } from 'pino'
import { temporaryFolder } from '../../../../test/pack-folders.ts'
import type { RetrievalSettings } from '../../settings.ts'
import { createEntryStore } from '../../stores/entries.ts'
import { createVectorRows } from '../../stores/vectors.ts'
import { createVectorIndex } from '../../vectors/choice.ts'
import { createVectorMemory } from '../../vectors/memory.ts'

type Scope = Parameters<typeof temporaryFolder>[0]

/** A PostgreSQL that has pgvector, with the tables of the pack. It takes one connection at a time. */
export async function pgvector(t: Scope) {
  const folder = await temporaryFolder(t)
  const db = await PGlite.create({ extensions: { vector } })
  const server = new PGLiteSocketServer({ db, path: join(folder, '.s.PGSQL.5432') })
  await server.start()
  const connection = { host: folder, user: 'postgres', database: 'postgres' }
  const knex = knexOf({ client: 'pg', connection, pool: { min: 0, max: 1 } })
  const closing: (() => unknown)[] = []
  t.teardown(async () => {
    for (const close of closing) await close()
    await knex.destroy()
    await server.stop()
    await db.close()
  })
  await knex.raw('create schema retrieval')
  const migrations = new URL('../../migrations/', import.meta.url)
  for (const name of (await readdir(migrations)).sort())
    await (await import(new URL(name, migrations).href)).up(knex)

  const warnings: object[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) })
  const transaction = ((work: (trx: Trx) => Promise<unknown>) =>
    knex.transaction(work as (trx: Knex.Transaction) => Promise<unknown>)) as Kernel['transaction']
  const shared: Kernel['shared'] = async (_, open, close) => {
    const opened = await open()
    closing.push(() => close(opened))
    return opened
  }

  /** The stores of an instance with that setting. */
  function instance(vectorStore: RetrievalSettings['vectorStore']) {
    const settings = { memoryMb: 64, vectorStore }
    const deps = { knex, log, transaction, shared, settings, vectorRows: createVectorRows({ knex }) } as never
    const vectorMemory = createVectorMemory(deps)
    const store = createVectorIndex({ ...(deps as object), vectorMemory } as never)
    return { store, vectorMemory }
  }
  return { knex, transaction, warnings, instance, entryStore: createEntryStore({ knex } as never) }
}

/** The same unit vectors each time. */
export function vectorsOf(count: number, dimensions: number, seed = 1): Float32Array[] {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 4_294_967_296 - 0.5
  }
  return Array.from({ length: count }, () => {
    const numbers = Float32Array.from({ length: dimensions }, next)
    const length = Math.hypot(...numbers)
    return numbers.map((number) => number / length)
  })
}
