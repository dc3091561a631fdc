import '@xyflow/react/dist/style.css'
import dagre from '@dagrejs/dagre'
import { Box, useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { Edge, Node } from '@xyflow/react'
import { Background, Controls, MarkerType, ReactFlow } from '@xyflow/react'
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import classes from './graph-drawn.module.css'

const SIZE = { width: 190, height: 40 }
const LABEL = 40

export interface Graph {
  readonly nodes: readonly {
    readonly id: string
    readonly label: string
    /** For people who cannot see it; default: the label. */
    readonly name?: string | undefined
    /** Its page, which opens when it is chosen. */
    readonly to?: string | undefined
  }[]
  /** Those that lead to what is no node are left out. */
  readonly links: readonly { readonly from: string; readonly to: string }[]
}

/** From left to right; what has a page opens when it is chosen. */
export default function GraphDrawn({ label, graph }: { label: string; graph: Graph }) {
  const [, navigate] = useLocation()
  const colorMode = useComputedColorScheme()
  const { ref, width } = useElementSize()
  const { nodes, edges } = useMemo(() => laidOut(graph), [graph])
  return (
    <Box ref={ref} h={450} className={classes.graph} role="region" aria-label={label}>
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
        onNodeClick={(_, { data }) => typeof data.to === 'string' && navigate(data.to)}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </Box>
  )
}

function laidOut(graph: Graph): { nodes: Node[]; edges: Edge[] } {
  const layout = new dagre.graphlib.Graph().setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 100 })
  layout.setDefaultEdgeLabel(() => ({}))
  for (const { id } of graph.nodes) layout.setNode(id, { ...SIZE })
  const known = new Set(graph.nodes.map(({ id }) => id))
  const links = graph.links.filter(({ from, to }) => known.has(from) && known.has(to))
  for (const { from, to } of links) layout.setEdge(from, to)
  dagre.layout(layout)
  const nodes = graph.nodes.map(({ id, label, name = label, to }): Node => {
    const { x, y } = layout.node(id)
    return {
      id,
      position: { x: x - SIZE.width / 2, y: y - SIZE.height / 2 },
      data: { label: label.length > LABEL ? `${label.slice(0, LABEL)}…` : label, to },
      ariaLabel: name,
      className: classes.node as string,
      style: { ...SIZE },
      sourcePosition: 'right' as never,
      targetPosition: 'left' as never
    }
  })
  const edges = links.map(
    ({ from, to }): Edge => ({
      id: `${from} ${to}`,
      source: from,
      target: to,
      markerEnd: { type: MarkerType.ArrowClosed }
    })
  )
  return { nodes, edges }
}
