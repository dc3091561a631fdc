import type { Kernel, Owned, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Runtime } from '../schemas/runtimes.ts'

export type RuntimeStore = ReturnType<typeof createRuntimeStore>

type Config = Pick<Runtime, 'provider' | 'image' | 'command' | 'cwd' | 'env' | 'minInstances' | 'idleSeconds'>
export interface RuntimeRow extends Owned, Config {
  readonly id: string
  readonly agentId: string
  readonly secretNames: string[]
  /** Sealed JSON of the secret variables, by name. */
  readonly secrets: string | null
  readonly desired: Runtime['status']['desired']
  readonly observed: Runtime['status']['observed']
  readonly reason: string | null
  readonly capabilities: string[]
  readonly lastSeen: string | null
  /** The latest, whether or not it serves. */
  readonly deployment: number
  /** Sealed: what is run, as it was when it was deployed. */
  readonly deployed: string | null
  /** The same of what is being deployed, until it is ready. */
  readonly candidate: string | null
  /** In a row. */
  readonly failures: number
  readonly restartAt: string | null
  readonly usedAt: string
  readonly deployedAt: string | null
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}
interface Key {
  readonly project: string
  readonly agentId: string
}

export const defaults: Config & { readonly secretNames: string[] } = {
  provider: null,
  image: null,
  command: null,
  cwd: '.',
  env: {},
  secretNames: [],
  minInstances: 0,
  idleSeconds: 300
}
const TABLE = 'runtimes.runtime'
const lists = ['command', 'env', 'secretNames', 'capabilities'] as const
const stored = (row: Partial<RuntimeRow>) => {
  const made: Record<string, unknown> = { ...row }
  for (const name of lists)
    if (made[name] !== undefined && made[name] !== null) made[name] = JSON.stringify(made[name])
  return made
}

/** Runtimes, one an agent. */
export function createRuntimeStore({ knex }: Pick<Kernel, 'knex'>) {
  const lock = (trx: Trx, { project, agentId }: Key): Promise<RuntimeRow | undefined> =>
    trx(TABLE).where({ project, agentId }).forUpdate().first()

  return {
    find: ({ project, agentId }: Key): Promise<RuntimeRow | undefined> =>
      knex(TABLE).where({ project, agentId }).first(),
    lock,

    /** As it stays until the transaction ends; made where there is none. */
    async take(trx: Trx, { project, owner, agentId }: Key & Owned): Promise<RuntimeRow> {
      await trx(TABLE)
        .insert(stored({ id: newId('runtime'), project, owner, agentId, ...defaults }))
        .onConflict(['project', 'agentId'])
        .ignore()
      return (await lock(trx, { project, agentId })) as RuntimeRow
    },

    async update(trx: Trx, { project, id }: RuntimeRow, changes: Partial<RuntimeRow>): Promise<RuntimeRow> {
      const [row] = await trx(TABLE).where({ project, id }).update(stored(changes)).returning('*')
      return row
    },

    updateUsed: (
      on: Kernel['knex'] | Trx,
      { project, id }: Pick<RuntimeRow, 'project' | 'id'>
    ): Promise<unknown> => on(TABLE).where({ project, id }).update({ usedAt: on.fn.now() }),

    /** Those that should run, and of which no process does. */
    listWanting: (dead: readonly number[]): Promise<RuntimeRow[]> =>
      knex(`${TABLE} as r`)
        .where((wanted) =>
          wanted.whereNotNull('r.candidate').orWhere((awake) => awake.where('r.desired', 'awake'))
        )
        .whereNotExists(
          knex('runtimes.process as p')
            .whereRaw('p.project = r.project and p."runtimeId" = r.id')
            .whereIn('p.state', ['starting', 'ready'])
            .whereNotIn('p.instance', [...dead])
        )
        .select('r.*')
        .limit(200)
  }
}
