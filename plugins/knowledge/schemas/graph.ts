import { Data } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { SpaceParams } from './spaces.ts'

const Graph = Type.Object(
  {
    nodes: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        path: Type.String(),
        tags: Type.Array(Type.String())
      })
    ),
    edges: Type.Array(
      Type.Object({
        fromId: Type.String(),
        toId: Type.String(),
        count: Type.Integer({ description: 'Links from the one to the other' })
      })
    ),
    unresolved: Type.Array(
      Type.Object({
        documentId: Type.String({ description: 'Whose text has the link' }),
        target: Type.String(),
        label: Type.String(),
        count: Type.Integer()
      }),
      { description: 'Links that lead nowhere yet' }
    ),
    truncated: Type.Boolean({ description: 'There is more than `limit` of something' })
  },
  { title: 'KnowledgeGraph' }
)
const GraphQuery = Type.Object({
  documentId: Type.Optional(
    Type.String({ description: 'Only this document, and those that it links to or that link to it' })
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 5_000,
      default: 1_000,
      description: 'Nodes, edges and unresolved links, each'
    })
  )
})
export type Graph = Static<typeof Graph>
export type GraphQuery = Static<typeof GraphQuery>

export const readGraph = {
  tags: ['knowledge'],
  summary: 'Get the links between the documents of a space',
  params: SpaceParams,
  querystring: GraphQuery,
  response: { 200: Data(Graph) }
}
