import type { Kernel, Trx } from 'agent-platform'
import type { Flag } from './evaluator.ts'

export type FlagStore = ReturnType<typeof createFlagStore>

/** A flag that an operator set. */
export interface FlagRow {
  readonly key: string
  readonly definition: Flag
  readonly version: number
  readonly updatedBy: string
  readonly updatedAt: string
}

const columns = ['key', 'definition', 'version', 'updatedBy', 'updatedAt'] as const

/** Flags that operators set. */
export function createFlagStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on: Kernel['knex'] | Trx = knex) => on<FlagRow>('flags.definition')
  return {
    list: (): Promise<FlagRow[]> =>
      rows()
        .orderBy('key')
        .select(...columns) as never,

    /** Which does not change before the transaction ends. */
    lock: (trx: Trx, key: string): Promise<FlagRow | undefined> =>
      rows(trx)
        .where({ key })
        .forUpdate()
        .first(...columns) as never,

    async insert(trx: Trx, key: string, definition: Flag, updatedBy: string): Promise<FlagRow | undefined> {
      const [row] = await rows(trx)
        .insert({ key, definition: JSON.stringify(definition) as never, updatedBy })
        .onConflict()
        .ignore()
        .returning([...columns])
      return row as FlagRow | undefined
    },

    async update(trx: Trx, key: string, definition: Flag, updatedBy: string): Promise<FlagRow> {
      const [row] = await rows(trx)
        .where({ key })
        .update({
          definition: JSON.stringify(definition) as never,
          updatedBy,
          version: trx.raw('version + 1') as never,
          updatedAt: trx.fn.now() as never
        })
        .returning([...columns])
      return row as unknown as FlagRow
    },

    remove: async (trx: Trx, key: string): Promise<void> => {
      await rows(trx).where({ key }).delete()
    }
  }
}
