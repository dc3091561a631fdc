import '@xyflow/react/dist/style.css'
import dagre from '@dagrejs/dagre'
import { Box, useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { Edge, Node } from '@xyflow/react'
import { Background, Controls, MarkerType, ReactFlow } from '@xyflow/react'
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import classes from './link-drawing.module.css'
import type { Graph } from './queries.ts'

const SIZE = { width: 180, height: 40 }

/** The graph of links; a document opens when it is chosen. */
export default function LinkDrawing({ spaceId, graph }: { spaceId: string; graph: Graph }) {
  const [, navigate] = useLocation()
  const colorMode = useComputedColorScheme()
  const { ref, width } = useElementSize()
  const { nodes, edges } = useMemo(() => laidOut(graph), [graph])
  return (
    <Box
      ref={ref}
      h={480}
      className={classes.graph}
      role="region"
      aria-label="Graph of links; the list has the same links in words"
    >
      <ReactFlow
        // It is fitted into its place once; another place has it fitted anew.
        key={Math.round(width / 50)}
        nodes={nodes}
        edges={edges}
        colorMode={colorMode}
        fitView
        fitViewOptions={{ maxZoom: 1 }}
        minZoom={0.1}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        onNodeClick={(_, { id }) => navigate(`/knowledge/${spaceId}/documents/${id}`)}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </Box>
  )
}

function laidOut(graph: Graph): { nodes: Node[]; edges: Edge[] } {
  const layout = new dagre.graphlib.Graph().setGraph({ rankdir: 'LR', nodesep: 16, ranksep: 70 })
  layout.setDefaultEdgeLabel(() => ({}))
  for (const { id } of graph.nodes) layout.setNode(id, { ...SIZE })
  const known = new Set(graph.nodes.map(({ id }) => id))
  const links = graph.edges.filter(({ fromId, toId }) => known.has(fromId) && known.has(toId))
  for (const { fromId, toId } of links) layout.setEdge(fromId, toId)
  dagre.layout(layout)
  const nodes = graph.nodes.map(({ id, title, path }): Node => {
    const { x, y } = layout.node(id)
    return {
      id,
      position: { x: x - SIZE.width / 2, y: y - SIZE.height / 2 },
      data: { label: title.length > 40 ? `${title.slice(0, 40)}…` : title },
      ariaLabel: `${title}, ${path}`,
      className: classes.node as string,
      style: { ...SIZE },
      sourcePosition: 'right' as never,
      targetPosition: 'left' as never
    }
  })
  const edges = links.map(
    ({ fromId, toId }): Edge => ({
      id: `${fromId} ${toId}`,
      source: fromId,
      target: toId,
      markerEnd: { type: MarkerType.ArrowClosed }
    })
  )
  return { nodes, edges }
}
