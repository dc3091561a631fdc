import type { ComponentType } from 'react'
import { createContext, lazy, Suspense, useContext } from 'react'
import { Boundary } from './boundary.tsx'
import type { Load, PageDefinition } from './define-page.ts'

export interface PackPage extends PageDefinition {
  readonly pack: string
}

/** Pages of the packs that are mounted, as far as the caller may see them. */
export const PagesContext = createContext<readonly PackPage[]>([])

/** What the mounted packs add to a page of another one, in order. */
export function useContributions<
  K extends 'agentTabs' | 'answerActions' | 'homeCards' | 'runFacts' | 'runPanels' | 'sessionTabs' | 'waiting'
>(kind: K) {
  const pages = useContext(PagesContext)
  type Item = NonNullable<PageDefinition[K]>[number]
  return pages
    .flatMap((page) => (page[kind] ?? []) as readonly Item[])
    .toSorted((a, b) => a.order - b.order || a.key.localeCompare(b.key))
}

const components = new Map<unknown, unknown>()

/** The component that is loaded so; the same one each time. */
export function componentOf<P extends object>(load: Load<P>): ComponentType<P> {
  const known = components.get(load) as ComponentType<P> | undefined
  if (known) return known
  const component = lazy(() =>
    load().catch((error) => {
      // The next one that shows it tries again.
      components.delete(load)
      throw error
    })
  )
  components.set(load, component)
  return component as ComponentType<P>
}

/** Loads it, so that it is shown at once later; undefined where it is there already. */
export function preload<P extends object>(load: Load<P>): Promise<void> | undefined {
  if (components.has(load)) return undefined
  return load().then(
    ({ default: component }) => {
      // What is shown already stays the same component.
      if (!components.has(load)) components.set(load, component)
    },
    // Told where it is shown, which tries again.
    () => undefined
  )
}

/** A part of a page that is of another pack: what fails in it leaves the rest as it is. */
export function Contributed<P extends object>({ load, ...props }: { load: Load<P> } & P) {
  const Component = componentOf(load) as ComponentType<object>
  return (
    <Boundary>
      <Suspense fallback={null}>
        <Component {...props} />
      </Suspense>
    </Boundary>
  )
}
