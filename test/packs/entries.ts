import type { Refills } from '../../plugins/retrieval/services/refills.ts'
import type { Booted } from '../boot.ts'

/** As it is when the pack of a collection was off for longer than its entries are kept. */
export async function loseEntries({ platform: { knex } }: Booted, collection: string): Promise<void> {
  const of = knex('retrieval.entry').where({ collection })
  await knex('retrieval.loss').insert(of.clone().distinct('project', 'collection', knex.raw("''")))
  await of.delete()
}

/** As the job of the minute does for packs that are back. */
export async function refill({ platform }: Booted): Promise<void> {
  const { deps } = platform.server.current().packs.get('retrieval') as unknown as {
    deps: { refills: Refills }
  }
  await deps.refills.worker.work({}, AbortSignal.timeout(30_000))
}
