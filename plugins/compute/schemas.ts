import { Type } from 'typebox'

const schema = {
  tags: ['compute'],
  params: Type.Object({ '*': Type.String({ description: 'Path at the compute service' }) }),
  querystring: Type.Object({}, { additionalProperties: true }),
  response: { default: Type.Unknown({ description: 'The reply of the compute service, as it is' }) }
}

export const readCompute = { ...schema, summary: 'Read from the compute service' }
export const writeCompute = { ...schema, summary: 'Write to the compute service' }
