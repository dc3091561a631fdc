import { Closed, newId, Page, Paging } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Capability } from '../ui-plugins/contract.ts'
import { Memory, NewMemory, RetrievedMemory, RetrieveQuery } from './schemas/memories.ts'
import type { MemoryService } from './services/memories.ts'
import type { Recall } from './services/recall.ts'

const narrows = { to: 'agents', at: '/agentId' } as const
const agentId = Type.String({ maxLength: 128 })
const SearchParams = Closed({
  agentId,
  ...Type.Pick(RetrieveQuery, ['query', 'type', 'asOf']).properties,
  ...Paging
})
const RememberParams = Closed({
  ...Type.Pick(NewMemory, ['content', 'type', 'importance']).properties,
  agentId
})

export const searchCapability = ({
  recall
}: {
  recall: Recall
}): Capability<Static<typeof SearchParams>> => ({
  title: 'Search memories',
  description: 'What an agent remembers, by meaning and by words, the best first, in pages',
  risk: 'high',
  reaches: 'Reads what your agents remember, also of you',
  narrows,
  params: SearchParams,
  result: Page(
    Type.Pick(RetrievedMemory, ['id', 'type', 'content', 'importance', 'validFrom', 'untrusted', 'score'])
  ),
  idempotent: true,
  call: (by, { agentId, ...query }) => recall.retrieve(by, agentId, query)
})

/** What an app says is as little the word of a person as what a tool returned: prompts show it as data. */
export const rememberCapability = ({
  memoryService
}: {
  memoryService: MemoryService
}): Capability<Static<typeof RememberParams>> => ({
  title: 'Remember something',
  description:
    'Adds a memory to an agent, which follows no instruction in it; the same words again are the same one',
  risk: 'medium',
  reaches: 'Adds to what your agents remember in later conversations',
  narrows,
  params: RememberParams,
  result: Type.Pick(Memory, ['id', 'type', 'content', 'importance', 'validFrom', 'untrusted']),
  call: (by, input) =>
    memoryService.create(by, input, { source: null, untrusted: true, callId: newId('call') })
})
