import { graphlib, layout } from '@dagrejs/dagre'
import type { Way } from './definition.ts'

export const NODE = { width: 216, height: 60 }

/** Where each step is drawn, from its left upper corner, so that ways lead down. */
export function placesOf(
  ids: readonly string[],
  ways: readonly Way[]
): ReadonlyMap<string, { x: number; y: number }> {
  const graph = new graphlib.Graph({ multigraph: true })
    .setGraph({ rankdir: 'TB', nodesep: 32, ranksep: 56 })
    .setDefaultEdgeLabel(() => ({}))
  for (const id of ids) graph.setNode(id, { ...NODE })
  for (const { from, to, label } of ways) graph.setEdge(from, to, {}, label ?? 'after')
  layout(graph)
  return new Map(
    ids.map((id) => {
      const { x, y } = graph.node(id) as { x: number; y: number }
      return [id, { x: x - NODE.width / 2, y: y - NODE.height / 2 }]
    })
  )
}
