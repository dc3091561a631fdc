import type { Kernel } from 'agent-platform'
import type { ArchivePart } from '../archives/contract.ts'

/** Nothing but that there were channels: their credentials are secrets, and who wrote in them are people. */
export function channelPart({ knex }: Pick<Kernel, 'knex'>): ArchivePart {
  return {
    version: 1,
    what: 'which channels it had, which are connected anew',
    records: {},

    async *export({ agent: { project, id: agentId }, need }) {
      const kinds: string[] = await knex('channels.channel')
        .where({ project, agentId })
        .orderBy('kind')
        .pluck('kind')
      for (const kind of kinds)
        need({ type: 'channel', name: kind, text: 'Connect the channel again, with credentials of its own' })
      // There are no records; a generator has to have the word.
      yield* []
    },

    async import(_, records) {
      for await (const _record of records);
    }
  }
}
