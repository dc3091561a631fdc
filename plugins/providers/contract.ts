import type { Principal } from 'agent-platform'

/** Something that a deployment can have done in more than one way; its key at the point is its name, such as `embeddings`. */
export interface Capability {
  /** As people know it. */
  readonly title: string
  readonly description: string
  /** All that could serve it here. */
  list(project: string): Promise<readonly Implementation[]>
  /** What serves it in the project; undefined where nothing does. */
  current(project: string): Promise<InUse | undefined>
  /** Left out where the deployment's settings alone decide. */
  readonly choice?: CapabilityChoice
}

/** How a project chooses. Both refuse (403) who does not speak for the whole project. */
export interface CapabilityChoice {
  /**
   * Returns once it has been asked, and answered: what cannot is not chosen. 400 at `/provider`, `/modelId` … for what there
   * is not, 502 for what fails, 412 for another version.
   */
  choose(by: Principal, wanted: Wanted, version?: number): Promise<void>
  /** Back to the deployment's. 404 where nothing was chosen. */
  reset(by: Principal, version?: number): Promise<void>
}

export interface Implementation {
  /** Its name in requests. */
  readonly provider: string
  /** As people know it. */
  readonly name: string
  /** Whether it could serve the project as it is. */
  readonly configured: boolean
  /** Those that it is known to have, its default first. */
  readonly models: readonly string[]
  /** What of its own a project may give it. */
  readonly takes: readonly ('apiKey' | 'baseUrl')[]
}

export interface InUse {
  readonly provider: string
  /** Null: the provider's default, or it has no models. */
  readonly modelId: string | null
  readonly source: 'project' | 'environment' | 'default'
  readonly configured: boolean
  /** Of the project's choice; 0 where it chose nothing. */
  readonly version: number
  readonly updatedAt: string | null
}

export interface Wanted {
  readonly provider: string
  readonly modelId?: string | null
  /** Null: the deployment's. */
  readonly apiKey?: string | null
  readonly baseUrl?: string | null
}

declare module 'agent-platform' {
  interface Points {
    'providers.capability': Capability
  }
}
