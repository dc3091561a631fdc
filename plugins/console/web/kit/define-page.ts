import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'

/** A component that is loaded when it is first shown: `() => import('./agent-list.tsx')`, by its default export. */
export type Load<P = object> = () => Promise<{ default: ComponentType<P> }>

/** Where a page stands in the navigation. */
export type Section = 'Work' | 'Build' | 'Knowledge' | 'Operate'

/** Something to do from the command palette. */
export interface Command {
  readonly label: string
  readonly description?: string
  /** Path within the console that it leads to. */
  readonly to: string
}

/** A tab of an agent's page, of whichever pack is mounted. */
export interface AgentTab {
  /** Last part of its path: `/agents/<id>/<key>`. */
  readonly key: string
  readonly title: string
  readonly order: number
  readonly load: Load<{ agentId: string }>
}

/** A tab of a session's page, of whichever pack is mounted. */
export interface SessionTab {
  readonly key: string
  readonly title: string
  readonly order: number
  readonly load: Load<{ sessionId: string }>
}

/** What of a pack waits for a person: `WaitingRows` on the home page, which tells how many there are. */
export interface Waiting {
  readonly key: string
  readonly order: number
  readonly load: Load<{ onCount: (count: number) => void }>
}

/** A card on the home page. */
export interface HomeCard {
  readonly key: string
  readonly order: number
  /** `full`: as wide as the page. */
  readonly size?: 'full'
  /** Shown also to callers without the scope of the page. */
  readonly isForAll?: boolean
  readonly load: Load
}

/** A section of a run's page. */
export interface RunPanel {
  readonly key: string
  readonly title: string
  readonly order: number
  readonly load: Load<{ runId: string }>
}

/**
 * What a pack shows in the console. Shown while the pack is mounted, and taken away with it. Paths are patterns of wouter
 * (`/agents/:agentId/:tab?`); the parameters are given to the component by `useParams`.
 */
export interface PageDefinition {
  readonly title: string
  /** Left out for a page that only brings cards, tabs or routes. */
  readonly navigation?: {
    readonly section: Section
    readonly order: number
    readonly icon: LucideIcon
    /** A path of `routes` without parameters. */
    readonly to: string
  }
  /** Callers without it do not see the page. */
  readonly scope?: string
  readonly routes?: Readonly<Record<string, Load>>
  readonly commands?: readonly Command[]
  readonly agentTabs?: readonly AgentTab[]
  readonly sessionTabs?: readonly SessionTab[]
  readonly waiting?: readonly Waiting[]
  readonly homeCards?: readonly HomeCard[]
  readonly runPanels?: readonly RunPanel[]
}

/** The default export of `plugins/<pack>/web/page.tsx`: small, as all of them are loaded at the start. */
export const definePage = (page: PageDefinition): PageDefinition => page
