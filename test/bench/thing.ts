import { Type } from 'typebox'

const Thing = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  name: Type.String(),
  instructions: Type.String(),
  modelProvider: Type.String(),
  modelId: Type.String(),
  temperature: Type.Number(),
  maxTokens: Type.Integer(),
  tags: Type.Array(Type.String()),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' })
})

/** The schema of the route that both sides serve. */
export const thingSchema = {
  summary: 'Get a thing',
  tags: ['things'],
  params: Type.Object({ thingId: Type.String() }),
  response: { 200: Type.Object({ data: Thing }) }
}

/** What it replies: about as much as an agent. */
export const thing = (id: string) => ({
  id,
  owner: 'user_01k4qz0000e0080000000000ab',
  name: 'A thing to measure with',
  instructions: 'Answer briefly, and name the sources of what you say.',
  modelProvider: 'openai-compatible',
  modelId: 'some-model-2026-11',
  temperature: 0.7,
  maxTokens: 4_096,
  tags: ['one', 'two', 'three'],
  createdAt: '2026-11-20T08:00:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z'
})
