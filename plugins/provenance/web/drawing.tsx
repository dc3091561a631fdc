import '@xyflow/react/dist/style.css'
import dagre from '@dagrejs/dagre'
import { Box, useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { Edge, Node } from '@xyflow/react'
import { Background, Controls, MarkerType, ReactFlow } from '@xyflow/react'
import { useAgentNames } from 'agent-platform/console'
import { useLocation } from 'wouter'
import classes from './drawing.module.css'
import type { Report } from './queries.ts'
import { labelOf, placeOf, usesOf } from './uses.ts'

const SIZE = { width: 200, height: 40 }

/** Runs, and what leads into them; what has a page opens when it is chosen. */
export default function Drawing({ report }: { report: Report }) {
  const [, navigate] = useLocation()
  const colorMode = useComputedColorScheme()
  const { ref, width } = useElementSize()
  const agents = useAgentNames()
  const { nodes, edges } = laidOut(report, agents)
  return (
    <Box
      ref={ref}
      h={420}
      className={classes.graph}
      role="region"
      aria-label="Graph of what it was made of; the list has the same in words"
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
        onNodeClick={(_, { data }) => typeof data.to === 'string' && navigate(data.to)}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </Box>
  )
}

function laidOut(report: Report, agents: ReadonlyMap<string, string>): { nodes: Node[]; edges: Edge[] } {
  const uses = usesOf(report)
  const shown = [
    ...uses.map(({ key, use }) => ({
      key,
      label: labelOf(use, agents),
      to: placeOf(use)
    })),
    ...report.runs.map(({ runId, status }) => ({ key: runId, label: `Run, ${status}`, to: `/runs/${runId}` }))
  ]
  const links = uses.flatMap(({ key, use }) => use.runIds.map((runId) => ({ from: key, to: runId })))
  const layout = new dagre.graphlib.Graph().setGraph({ rankdir: 'LR', nodesep: 12, ranksep: 140 })
  layout.setDefaultEdgeLabel(() => ({}))
  for (const { key } of shown) layout.setNode(key, { ...SIZE })
  for (const { from, to } of links) layout.setEdge(from, to)
  dagre.layout(layout)
  const nodes = shown.map(({ key, label, to }): Node => {
    const { x, y } = layout.node(key)
    return {
      id: key,
      position: { x: x - SIZE.width / 2, y: y - SIZE.height / 2 },
      data: { label: label.length > 40 ? `${label.slice(0, 40)}…` : label, to },
      ariaLabel: label,
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
