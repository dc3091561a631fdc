import { Changes, Data, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

export const AgentMemorySettings = Type.Object(
  {
    agentId: Type.String(),
    contextTokens: Type.Integer({
      minimum: 0,
      maximum: 100_000,
      description: 'Tokens that memories may take in the prompt of a run; 0: none are put there'
    }),
    extraction: Type.Boolean({
      description: "Whether memories are extracted from a run after its end, by a call of the agent's model"
    }),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    updatedAt: Type.Union([Time, Type.Null()], { description: 'Null before the first edit' })
  },
  { title: 'AgentMemorySettings' }
)
const AgentMemorySettingsChanges = Changes(AgentMemorySettings, ['contextTokens', 'extraction'])

export type AgentMemorySettings = Static<typeof AgentMemorySettings>
export type AgentMemorySettingsChanges = Static<typeof AgentMemorySettingsChanges>

const tags = ['memory']
const params = Type.Object({ agentId: Type.String() })
const response = { 200: Data(AgentMemorySettings) }

export const readAgentSettings = { tags, summary: 'Get how an agent remembers', params, response }
export const updateAgentSettings = {
  tags,
  summary: 'Update how an agent remembers',
  params,
  body: AgentMemorySettingsChanges,
  response
}
