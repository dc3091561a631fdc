import { Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { Graph } from './graph-drawn.tsx'

const Drawn = lazy(() => import('./graph-drawn.tsx'))

/** A graph, laid out and drawn; drawn anew for another object. `label` says where the same stands in words. */
export function GraphDrawing(props: { label: string; graph: Graph }) {
  return (
    <Suspense fallback={<Text role="status">Drawing…</Text>}>
      <Drawn {...props} />
    </Suspense>
  )
}
