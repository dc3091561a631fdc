import type { Principal } from 'agent-platform'
import { typeOfId } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'

export type ModelService = ReturnType<typeof createModelService>

/** The official client knows no pages of models. */
const MOST = 1_000

type AgentRow = Awaited<ReturnType<Agents['owned']>>

const modelOf = ({ id, createdAt, owner, name }: AgentRow) => ({
  id,
  object: 'model' as const,
  created: Math.floor(Date.parse(createdAt) / 1_000),
  owned_by: owner,
  name
})

/** Agents as models. */
export function createModelService({ agents }: { agents: Agents }) {
  async function list(by: Principal) {
    const data: ReturnType<typeof modelOf>[] = []
    let cursor: string | undefined
    do {
      const page = await agents.list(by, { limit: 100, ...(cursor !== undefined && { cursor }) })
      data.push(...page.data.map(modelOf))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined && data.length < MOST)
    return { object: 'list' as const, data }
  }

  /** The ID of an agent, or the caller's own agent of that name: what has neither the form of an ID nor a name is looked up as one. */
  const idOf = async (by: Principal, model: string): Promise<string> =>
    typeOfId(model) === 'agent' || model.includes('\0')
      ? model
      : ((await agents.named(by, model))?.id ?? model)

  const read = async (by: Principal, model: string) =>
    modelOf(await agents.owned(by, await idOf(by, model), 'read', 'model'))

  /** The agent that a request wants to run. */
  const agent = async (by: Principal, model: string) =>
    agents.profile(by, await idOf(by, model), 'run', '/model')

  return { list, read, agent }
}
