import { randomBytes } from 'node:crypto'
import type { Kernel, Owned, Paging, Principal, Trx } from 'agent-platform'
import { newId, table } from 'agent-platform'
import type { Computer, ComputerDefaults } from '../schemas/computers.ts'
import { defaults } from '../schemas/computers.ts'
import { ComputerEvent } from '../schemas/events.ts'

export type ComputerStore = ReturnType<typeof createComputerStore>

export interface ComputerRow extends Owned, ComputerDefaults {
  readonly id: string
  readonly number: number
  readonly agentId: string
  readonly desired: Computer['desired']
  readonly state: Computer['state']
  readonly reason: string | null
  /** That holds it, from when it wakes until it sleeps. */
  readonly instance: number | null
  readonly storageBytes: number
  readonly wokeAt: string | null
  readonly changedAt: string
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}
interface Key {
  readonly project: string
  readonly agentId: string
}

const TABLE = 'computers.computer'
const INSTALLATION = { project: 'platform' }
const events = table('computers.event', ComputerEvent)
const json = ({ allowedHosts, ...row }: Partial<ComputerRow>) => ({
  ...row,
  ...(allowedHosts && { allowedHosts: JSON.stringify(allowedHosts) })
})

/** Computers, one an agent, and what happened to them. */
export function createComputerStore({ knex }: Pick<Kernel, 'knex'>) {
  const lock = (trx: Trx, { project, agentId }: Key): Promise<ComputerRow | undefined> =>
    trx(TABLE).where({ project, agentId }).forUpdate().first()

  return {
    /** Names this platform, all of its instances, among others: 32 digits, made once. */
    async takeInstallation(): Promise<string> {
      const find = () => knex('computers.installation').where(INSTALLATION).first('name')
      const known = await find()
      if (known) return known.name
      const row = { ...INSTALLATION, name: randomBytes(16).toString('hex') }
      await knex('computers.installation').insert(row).onConflict('project').ignore()
      return (await find()).name
    },

    find: ({ project, agentId }: Key): Promise<ComputerRow | undefined> =>
      knex(TABLE).where({ project, agentId }).first(),
    findById: (id: string): Promise<ComputerRow | undefined> => knex(TABLE).where({ id }).first(),
    lock,

    /** As it stays until the transaction ends; made where there is none. */
    async take(trx: Trx, { project, owner, agentId }: Key & Owned): Promise<ComputerRow> {
      await trx(TABLE)
        .insert(json({ id: newId('computer'), project, owner, agentId, ...defaults }))
        .onConflict(['project', 'agentId'])
        .ignore()
      return (await lock(trx, { project, agentId })) as ComputerRow
    },

    async update(
      trx: Trx,
      { project, id }: ComputerRow,
      changes: Partial<ComputerRow>
    ): Promise<ComputerRow> {
      const [row] = await trx(TABLE).where({ project, id }).update(json(changes)).returning('*')
      return row
    },

    /** Makes it this instance's where no living one has it: undefined where one has. */
    async takeFree(
      trx: Trx,
      { project, id }: ComputerRow,
      instance: number,
      dead: readonly number[]
    ): Promise<ComputerRow | undefined> {
      const [row] = await trx(TABLE)
        .where({ project, id })
        .where((free) =>
          free
            .whereNull('instance')
            .orWhere('instance', instance)
            .orWhereIn('instance', [...dead])
        )
        .update({ instance, state: 'waking', desired: 'awake', reason: null, changedAt: trx.fn.now() })
        .returning('*')
      return row
    },

    async remove(trx: Trx, { project, id }: ComputerRow): Promise<void> {
      await trx(TABLE).where({ project, id }).delete()
    },

    /** Held by instances that are dead, or by this one. */
    listHeld: (instances: readonly number[]): Promise<ComputerRow[]> =>
      knex(TABLE).whereIn('instance', [...instances]),

    /** Of all that an instance holds which is not among the dead. */
    findNumbersHeld: async (dead: readonly number[]): Promise<ReadonlySet<number>> =>
      new Set(
        await knex(TABLE)
          .whereNotNull('instance')
          .whereNotIn('instance', [...dead])
          .pluck('number')
      ),

    insertEvent: (
      trx: Trx,
      { project, owner, agentId, id: computerId }: ComputerRow,
      type: ComputerEvent['type'],
      reason: string | null
    ) => events.insert(trx, { project, owner, agentId, computerId, type, reason }),

    listEvents: (by: Principal, agentId: string, page: Paging & { type?: ComputerEvent['type'] }) =>
      events.list(knex, by, page, { agentId, type: page.type as ComputerEvent['type'] }),

    /** Up to so many of those that are older. */
    removeOld: (
      name: 'event' | 'command' | 'request' | 'ticket',
      days: number,
      limit: number
    ): Promise<number> =>
      knex(`computers.${name}`)
        .whereIn(
          ['project', 'id'],
          knex(`computers.${name}`)
            .whereRaw(`"createdAt" < now() - make_interval(days => ?)`, [days])
            .select('project', 'id')
            .limit(limit)
        )
        .delete()
  }
}
