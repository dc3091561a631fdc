import type { Kernel, Principal } from 'agent-platform'
import { notFound } from 'agent-platform'
import { documents } from '../schemas/documents.ts'
import type { Graph, GraphQuery } from '../schemas/graph.ts'
import type { SpaceAccess } from '../stores/access.ts'
import type { LinkStore } from '../stores/links.ts'

export type GraphService = ReturnType<typeof createGraphService>

interface Deps extends Pick<Kernel, 'knex'> {
  spaceAccess: SpaceAccess
  linkStore: LinkStore
}

export function createGraphService({ knex, spaceAccess, linkStore }: Deps) {
  async function read(
    by: Principal,
    spaceId: string,
    { documentId, limit = 1_000 }: GraphQuery
  ): Promise<Graph> {
    const { project } = await spaceAccess.find(by, spaceId, 'read')
    const at = { project, spaceId }
    if (documentId !== undefined && (await documents.find(knex, documentId))?.spaceId !== spaceId)
      throw notFound(documents.what, { param: 'documentId' })
    const nodes = await linkStore.listNodes(at, limit + 1, documentId)
    const shown = nodes.slice(0, limit)
    const ids = shown.map(({ id }) => id)
    const [edges, unresolved] = await Promise.all([
      linkStore.listEdges(at, ids, limit + 1),
      linkStore.listUnresolved(at, documentId === undefined ? ids : [documentId], limit + 1)
    ])
    return {
      nodes: shown,
      edges: edges.slice(0, limit),
      unresolved: unresolved.slice(0, limit),
      truncated: [nodes, edges, unresolved].some(({ length }) => length > limit)
    }
  }

  return { read }
}
