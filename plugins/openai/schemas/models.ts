import { Type } from 'typebox'
import { anything } from './chat.ts'
import { failing } from './failures.ts'

const tags = ['openai']
const Model = anything('OpenAiModel', {
  id: Type.String({ description: 'Of the agent', examples: ['agent_01k4qz0000e0080000000000ab'] }),
  object: Type.Literal('model'),
  created: Type.Integer(),
  owned_by: Type.String(),
  name: Type.String()
})

export const listModels = {
  tags,
  summary: 'List agents as models, in the form of OpenAI’s API',
  description: 'Those that the caller reaches, the newest first; at most 1,000.',
  response: {
    200: anything('OpenAiModels', { object: Type.Literal('list'), data: Type.Array(Model) }),
    ...failing
  }
}
export const readModel = {
  tags,
  summary: 'Get an agent as a model, in the form of OpenAI’s API',
  params: Type.Object({ model: Type.String() }),
  response: { 200: Model, ...failing }
}
