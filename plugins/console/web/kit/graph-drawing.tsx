import { Text } from '@mantine/core'
import { lazy, Suspense } from 'react'

const Drawn = lazy(() => import('./graph-drawn.tsx'))

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

/** A graph, laid out and drawn; drawn anew for another object. `label` says where the same stands in words. */
export function GraphDrawing(props: { label: string; graph: Graph }) {
  return (
    <Suspense fallback={<Text role="status">Drawing…</Text>}>
      <Drawn {...props} />
    </Suspense>
  )
}
