import type { LucideIcon } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'

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

/** Something of the caller's that the command palette finds. */
export interface Found {
  readonly label: string
  readonly description?: string | null | undefined
  /** Its page, by a path within the console. */
  readonly to: string
}

/** What of a pack the command palette finds by name or ID. */
export interface Findable {
  /** What one of them is. */
  readonly kind: string
  /** Whether the server has searched; the palette searches the names otherwise. */
  readonly isSearched: boolean
  readonly find: (wanted: Wanted) => Promise<readonly Found[]>
}

/** For the call of a list that the caller may see. */
export interface Wanted {
  readonly principalId: string
  readonly text: string
  /** For lists that the server searches. */
  readonly query: { readonly limit: number; readonly query: string }
  readonly signal: AbortSignal
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

/** Whose names are wanted, and what is shown of them. */
export interface SignedIn {
  readonly principalId: string
  readonly project: string
  readonly children: (name: string, project: string) => ReactNode
}

/** An entry of the menu of who is signed in. */
export interface AccountEntry {
  readonly label: string
  readonly to: string
  readonly icon: LucideIcon
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

/** A line among what is known of a run; it may show nothing. */
export interface RunFact {
  readonly key: string
  readonly order: number
  readonly load: Load<KnownOfRun>
}

/** Of which run something is told, and how a name and its value are shown. */
export interface KnownOfRun {
  readonly runId: string
  /** It may still change. */
  readonly isOpen: boolean
  readonly children: (name: string, value: ReactNode) => ReactNode
}

/** A section of a run's page. */
export interface RunPanel {
  readonly key: string
  readonly title: string
  readonly order: number
  readonly load: Load<{ runId: string }>
}

/** What can be done with an answer, in the line below it: small buttons. */
export interface AnswerAction {
  readonly key: string
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
  readonly finds?: readonly Findable[]
  readonly agentTabs?: readonly AgentTab[]
  readonly sessionTabs?: readonly SessionTab[]
  readonly waiting?: readonly Waiting[]
  readonly homeCards?: readonly HomeCard[]
  readonly runFacts?: readonly RunFact[]
  readonly runPanels?: readonly RunPanel[]
  readonly answerActions?: readonly AnswerAction[]
  readonly account?: {
    /** Who is signed in and where, in words: two lines in place of the ids. */
    readonly load: Load<SignedIn>
    readonly entries: readonly AccountEntry[]
  }
}

/** The default export of `plugins/<pack>/web/page.tsx`: small, as all of them are loaded at the start. */
export const definePage = (page: PageDefinition): PageDefinition => page

/** Of a list of the API, what its rows are found as. A list that the server does not search is read without the search. */
export const findable = <T>(
  kind: string,
  read: (wanted: Wanted) => Promise<{ readonly data: readonly T[] }>,
  found: (row: T) => Found,
  { isSearched = true } = {}
): Findable => ({ kind, isSearched, find: async (wanted) => (await read(wanted)).data.map(found) })
