import { Changes, Data, Deleted, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

/** As the retrieval of entries can take them. */
export const CONTENT_CHARACTERS = 8_000

export const MemoryType = Type.Enum(['fact', 'preference', 'episode', 'instruction'], {
  description:
    '`fact`: what is so; `preference`: what a person likes; `episode`: what happened; `instruction`: what the agent is to do'
})
const validFrom = Type.String({
  format: 'date-time',
  description: 'Since when it is so; left out: since now'
})

export const Memory = Type.Object(
  {
    id: Type.String({ examples: ['memory_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    agentId: Type.String({ description: 'The agent that remembers it' }),
    type: MemoryType,
    content: Type.String({
      minLength: 1,
      maxLength: CONTENT_CHARACTERS,
      pattern: '\\S',
      examples: ['The customer wants invoices by the fifth of the month.']
    }),
    importance: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'How much it counts when memories are chosen'
    }),
    validFrom: Time,
    validTo: OrNull(Type.String({ format: 'date-time', description: 'From then on it is not so any more' })),
    source: OrNull(
      Type.Object({
        runId: Type.String({ description: 'The run in which it was learned' }),
        messageId: OrNull(Type.String({ description: 'The message that said it, where that is known' }))
      })
    ),
    scopeId: OrNull(
      Type.String({ description: 'The shared scope that it is in; null: the agent alone knows it' })
    ),
    supersedes: OrNull(Type.String({ description: 'The memory whose place it took' })),
    supersededBy: OrNull(Type.String({ description: 'The memory that took its place' })),
    untrusted: Type.Boolean({
      description:
        'It may be made of what a tool returned: prompts show it as data, and follow no instruction in it'
    }),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'Memory' }
)

export const NewMemory = Type.Object(
  {
    ...Type.Pick(Memory, ['agentId', 'content']).properties,
    ...Type.Partial(Type.Pick(Memory, ['type', 'importance', 'scopeId', 'supersedes'])).properties,
    validFrom: Type.Optional(validFrom),
    validTo: Type.Optional(Memory.properties.validTo)
  },
  { title: 'NewMemory' }
)
export const MemoryChanges = Changes(Memory, ['type', 'content', 'importance', 'validFrom', 'validTo'])

const asOf = Type.Optional(
  Type.String({ format: 'date-time', description: 'What was so then; left out: what is so now' })
)
const type = Type.Optional(MemoryType)
export const MemoryQuery = Type.Object({
  ...Paging,
  type,
  scopeId: Type.Optional(Type.String({ description: 'Only those of this shared scope' })),
  asOf,
  all: Type.Optional(
    Type.Boolean({ default: false, description: 'Also what is not so any more, or not yet; not with `asOf`' })
  )
})
export const RetrieveQuery = Type.Object({
  ...Paging,
  query: Type.String({
    minLength: 1,
    maxLength: 4_000,
    pattern: '\\S',
    description: 'What is looked for, as people say it'
  }),
  type,
  asOf
})

/** From 0 to 1 each, but for ranks, which count from 1. */
const Why = Type.Object({
  relevance: Type.Number({ description: 'How well it fits: vectors and full text, fused by their ranks' }),
  vectorRank: OrNull(Type.Integer()),
  textRank: OrNull(Type.Integer()),
  recency: Type.Number({ description: 'Halves every 30 days' }),
  importance: Type.Number()
})
export const RetrievedMemory = Type.Object(
  {
    ...Memory.properties,
    score: Type.Number({ description: '0.8 × relevance + 0.1 × recency + 0.1 × importance' }),
    why: Why
  },
  { title: 'RetrievedMemory' }
)
export const MemoryStats = Type.Object(
  {
    agentId: Type.String(),
    total: Type.Integer({ description: 'Of those that are so now' }),
    types: Type.Object({
      fact: Type.Integer(),
      preference: Type.Integer(),
      episode: Type.Integer(),
      instruction: Type.Integer()
    }),
    past: Type.Integer({ description: 'Those that are not so any more, or not yet' }),
    embedding: Type.Object({
      model: OrNull(Type.String({ description: 'By which they are found' })),
      embedded: Type.Integer({
        description: 'Those that have a vector of it already; the others are found by their text'
      }),
      total: Type.Integer()
    })
  },
  { title: 'MemoryStats' }
)

export type Memory = Static<typeof Memory>
export type NewMemory = Static<typeof NewMemory>
export type MemoryChanges = Static<typeof MemoryChanges>
export type MemoryQuery = Static<typeof MemoryQuery>
export type RetrieveQuery = Static<typeof RetrieveQuery>
export type RetrievedMemory = Static<typeof RetrievedMemory>
export type MemoryStats = Static<typeof MemoryStats>
export type MemoryType = Memory['type']

/** `callId`: the call of a tool that it was written by, so that one that is made again writes it once. */
export const memories = table<typeof Memory, { callId: string | null }>('memory.memory', Memory, {
  also: ['callId']
})

const tags = ['memory']
const params = Type.Object({ memoryId: Type.String() })
const ofAgent = Type.Object({ agentId: Type.String() })

export const createMemory = {
  tags,
  summary: 'Create a memory',
  description:
    'With `supersedes` it takes the place of another memory of the same agent or scope, which is kept and ends when this one begins; 409 `already_superseded` when that has happened before.',
  body: NewMemory,
  response: { 201: Data(Memory) }
}
export const listMemories = {
  tags,
  summary: "List an agent's memories",
  description: 'Its own, and those of the shared scopes that it can read.',
  params: ofAgent,
  querystring: MemoryQuery,
  response: { 200: Page(Memory) }
}
export const countMemories = {
  tags,
  summary: "Count an agent's memories by type",
  params: ofAgent,
  response: { 200: Data(MemoryStats) }
}
export const retrieveMemories = {
  tags,
  summary: "Search an agent's memories",
  description:
    'By meaning and by words, the best first, each with its score and what that is made of; 100 at most.',
  params: ofAgent,
  querystring: RetrieveQuery,
  response: { 200: Page(RetrievedMemory) }
}
export const readMemory = { tags, summary: 'Get a memory', params, response: { 200: Data(Memory) } }
export const updateMemory = {
  tags,
  summary: 'Update a memory',
  description:
    'Corrects it: it was never otherwise. What was so, and is not so any more, is superseded by a new one.',
  params,
  body: MemoryChanges,
  response: { 200: Data(Memory) }
}
export const deleteMemory = { tags, summary: 'Delete a memory', params, response: { 200: Deleted } }
