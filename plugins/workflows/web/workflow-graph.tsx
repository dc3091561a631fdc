import '@xyflow/react/dist/style.css'
import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { Edge, Node, NodeProps } from '@xyflow/react'
import { Background, Controls, Handle, MarkerType, Position, ReactFlow } from '@xyflow/react'
import { useMemo } from 'react'
import type { Step } from './definition.ts'
import { placedSteps, waysOf } from './definition.ts'
import { NODE, placesOf } from './graph-layout.ts'
import { stepTypeOf } from './step-types.ts'
import classes from './workflow-graph.module.css'

interface Props {
  readonly steps: readonly Step[]
  readonly selected: string | null
  readonly onSelect: (id: string) => void
  /** Left out where nothing can be changed. */
  readonly onConnect?: (from: string, to: string) => void
  /** By the id of the step. */
  readonly statuses?: ReadonlyMap<string, string>
}
type StepNode = Node<{ step: Step; status: string | undefined }, 'step'>

/** The steps of a workflow, drawn. */
export default function WorkflowGraph({ steps, selected, onSelect, onConnect, statuses }: Props) {
  const scheme = useComputedColorScheme()
  const { ref, width } = useElementSize()
  const { nodes, edges } = useMemo(() => drawn(steps), [steps])
  return (
    <section ref={ref} className={classes.graph} aria-label="Graph of the steps">
      <ReactFlow<StepNode, Edge>
        // A node that comes or goes moves the others; another width has the graph fitted anew.
        key={`${nodes.length} ${Math.round(width / 50)}`}
        nodes={nodes.map((node) => ({
          ...node,
          selected: node.id === selected,
          data: { ...node.data, status: statuses?.get(node.id) }
        }))}
        edges={edges}
        nodeTypes={nodeTypes}
        onNodesChange={(changes) => {
          // By the keyboard, too.
          for (const change of changes) if (change.type === 'select' && change.selected) onSelect(change.id)
        }}
        onConnect={({ source, target }) => onConnect?.(source, target)}
        colorMode={scheme}
        nodesDraggable={false}
        nodesConnectable={onConnect !== undefined}
        edgesFocusable={false}
        deleteKeyCode={null}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.15 }}
        minZoom={0.1}
        preventScrolling={false}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  )
}

function StepCard({ data: { step, status }, selected, isConnectable }: NodeProps<StepNode>) {
  const { icon: Icon, label } = stepTypeOf(step.type)
  return (
    <div className={classes.node} data-selected={selected} data-status={status}>
      <Handle type="target" position={Position.Top} isConnectable={isConnectable} />
      <Icon size={18} aria-hidden />
      <div className={classes.words}>
        <div className={classes.name}>{step.name ?? step.id}</div>
        <div className={classes.type}>{status ? `${label}, ${status}` : label}</div>
      </div>
      <Handle type="source" position={Position.Bottom} isConnectable={isConnectable} />
    </div>
  )
}

const nodeTypes = { step: StepCard }

function drawn(steps: readonly Step[]): { nodes: StepNode[]; edges: Edge[] } {
  const all = placedSteps(steps).map(({ step }) => step)
  const ways = waysOf(steps)
  const places = placesOf(
    all.map(({ id }) => id),
    ways
  )
  return {
    nodes: all.map((step) => ({
      id: step.id,
      type: 'step',
      position: places.get(step.id) ?? { x: 0, y: 0 },
      width: NODE.width,
      height: NODE.height,
      ariaLabel: `${stepTypeOf(step.type).label} ${step.name ?? step.id}`,
      data: { step, status: undefined }
    })),
    edges: ways.map(({ from, to, label }) => ({
      id: `${from} ${to} ${label ?? ''}`,
      source: from,
      target: to,
      label,
      markerEnd: { type: MarkerType.ArrowClosed },
      ...(label && { style: { strokeDasharray: '5 4' } })
    }))
  }
}
