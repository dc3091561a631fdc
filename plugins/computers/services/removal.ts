import type { Fact, Kernel, Trx } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { ComputerStore } from '../stores/computers.ts'
import type { Providers } from './providers.ts'
import type { Sleeping } from './sleeping.ts'

interface Deps extends Pick<Kernel, 'streams'> {
  jobs: Jobs
  sleeping: Sleeping
  providers: Providers
  computerStore: ComputerStore
}
interface Gone {
  readonly id: string
  readonly number: number
}

/** A computer ends with its agent, and what it has kept is deleted soon after. */
export function createRemoval({ streams, jobs, sleeping, providers, computerStore }: Deps) {
  return {
    async agentDeleted({ project, subject: agentId }: Fact, trx: Trx): Promise<void> {
      const row = await computerStore.lock(trx, { project, agentId })
      if (!row) return
      const { id, number } = row
      await jobs.send('computers.remove', { id, number } satisfies Gone, { trx })
      await streams.remove(trx, project, id)
      await computerStore.remove(trx, row)
    },
    worker: {
      async work(data: object): Promise<void> {
        const { id, number } = data as Gone
        await sleeping.abandon(id)
        await providers.removeAll(number)
      }
    }
  }
}
