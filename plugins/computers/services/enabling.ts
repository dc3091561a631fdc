import type { Principal } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { ComputerStore } from '../stores/computers.ts'
import type { ComputerService } from './computers.ts'
import type { Sleeping } from './sleeping.ts'

/** What a computer is to be; null: as it is. */
export interface WantedKind {
  readonly provider: string | null
  readonly image: string | null
}
interface Deps {
  agents: Agents
  sleeping: Sleeping
  computerService: ComputerService
  computerStore: ComputerStore
}

/** Computers for packs that run something in them. */
export function createEnabling({ agents, sleeping, computerService, computerStore }: Deps) {
  /** One that is awake and of another kind ends, since it cannot become that one. */
  async function enable(by: Principal, agentId: string, { provider, image }: WantedKind): Promise<void> {
    const { project } = await agents.owned(by, agentId, 'change')
    const before = await computerStore.find({ project, agentId })
    const isOther = provider !== null && provider !== before?.provider
    await computerService.updateConfig(by, agentId, {
      enabled: true,
      ...(provider !== null && { provider }),
      // An image of another provider would mean nothing.
      ...((image !== null || isOther) && { image })
    })
    const row = await computerStore.find({ project, agentId })
    if (!before || !row || row.instance === null) return
    if (row.provider !== before.provider || row.image !== before.image)
      await sleeping.sleepAnywhere(row, 'asleep', by)
  }

  return { enable }
}
