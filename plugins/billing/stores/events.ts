import type { Kernel, Owned, Trx } from 'agent-platform'
import type { ProviderEvent } from '../provider.ts'

export type EventStore = ReturnType<typeof createEventStore>

export interface EventRow extends Owned {
  readonly id: string
  readonly provider: string
  readonly kind: ProviderEvent['subject']['kind']
  readonly subjectId: string
}

const KEPT_DAYS = 30

/** What providers told. */
export function createEventStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** False where it was told before. */
    async insert(
      trx: Trx,
      { project, owner }: Owned,
      provider: string,
      { id, type, subject }: ProviderEvent
    ): Promise<boolean> {
      const row = { project, owner, provider, type, id: `${provider}:${id}` }
      const made = await trx('billing.event')
        .insert({ ...row, kind: subject.kind, subjectId: subject.id })
        .onConflict(['project', 'id'])
        .ignore()
        .returning('id')
      return made.length > 0
    },

    /** What nothing came of yet, the oldest first. */
    listPending: ({ project, owner }: Owned, provider: string): Promise<EventRow[]> =>
      knex('billing.event')
        .where({ project, owner, provider })
        .whereNull('handledAt')
        .orderBy('createdAt')
        .limit(100)
        .select('project', 'owner', 'id', 'provider', 'kind', 'subjectId'),

    async settle(trx: Trx, events: readonly EventRow[]): Promise<void> {
      for (const { project, id } of events)
        await trx('billing.event').where({ project, id }).update({ handledAt: trx.fn.now() })
    },

    /** Whose events are left behind for minutes. */
    listLeft: (): Promise<readonly (Owned & { provider: string })[]> =>
      knex('billing.event')
        .whereNull('handledAt')
        .whereRaw(`"createdAt" < now() - interval '5 minutes'`)
        .distinct('project', 'owner', 'provider')
        .limit(500),

    /** When the latest one came, ISO 8601. */
    async findLatest(provider: string): Promise<string | undefined> {
      const row = await knex('billing.event').where({ provider }).max('createdAt as at').first()
      return row?.at ?? undefined
    },

    async removeOld(): Promise<void> {
      await knex('billing.event')
        .whereRaw(`"handledAt" < now() - make_interval(days => ?)`, [KEPT_DAYS])
        .delete()
    }
  }
}
