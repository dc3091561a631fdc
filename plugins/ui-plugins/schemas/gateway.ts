import { Data } from 'agent-platform'
import { Type } from 'typebox'
import { params } from './apps.ts'

const GatewayCall = Type.Object(
  {
    method: Type.String({
      minLength: 1,
      maxLength: 120,
      examples: ['agents.read'],
      description: 'A capability, or functions.call, fetch, storage.get …'
    }),
    params: Type.Optional(Type.Unknown({ description: 'As the capability’s schema says' }))
  },
  { title: 'AppGatewayCall', additionalProperties: false }
)

export const askGateway = {
  tags: ['ui-plugins'],
  summary: 'Do what a page of an app asks of the platform',
  params,
  body: GatewayCall,
  response: { 200: Data(Type.Unknown({ description: 'What the method gives' })) }
}
