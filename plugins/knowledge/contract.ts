import type { Owned, Principal, Trx } from 'agent-platform'
import type { Citation } from '../runs/contract.ts'
import type { DocumentSummary } from './schemas/documents.ts'
import type { Folder } from './schemas/folders.ts'
import type { Grant } from './schemas/grants.ts'
import type { Import } from './schemas/imports.ts'
import type { StoredSpace } from './schemas/spaces.ts'

/** What a provider is asked: spaces that name it, each of which the caller may read. */
export interface KnowledgeQuery {
  readonly by: Principal
  readonly spaces: readonly { readonly project: string; readonly id: string; readonly name: string }[]
  readonly query: string
  /** At most 200. */
  readonly limit: number
  readonly signal?: AbortSignal
}

/** A passage that was found, the best first. */
export interface Passage {
  readonly spaceId: string
  /** Null where the passage is not of a document that is kept here. */
  readonly documentId: string | null
  readonly version: number | null
  readonly title: string
  readonly path: string | null
  readonly url: string | null
  /** The heading that it stands under. */
  readonly heading: string | null
  /** Where it stands in the text of that version, in UTF-16 code units; `end` is behind it. */
  readonly start: number
  readonly end: number
  /** That it stands on, from 1; null where the format has no pages. */
  readonly page: number | null
  readonly text: string
  /** Above 0, at most 1. */
  readonly score: number
  /** Places of the words that were looked for, in the text of that version as `start` and `end` are. */
  readonly highlights: { start: number; end: number }[]
}

/** Searches spaces; its key at the point is what a space names as its `provider`. */
export interface KnowledgeProvider {
  readonly name: string
  readonly description: string
  /** Whether it can be asked; one that cannot answers 503. */
  isConfigured(): boolean
  /** A failure (502, 503, 504) is the caller's answer. */
  search(query: KnowledgeQuery): Promise<readonly Passage[]>
}

export interface Knowledge {
  /** The space, or a document of one, where the principal may read it; 404 or 403 otherwise. */
  readable(by: Principal, type: 'space' | 'document', id: string): Promise<Owned & { readonly id: string }>
  /** Passages that these runs were given, as the transaction sees it, in the order of their numbers. Nobody's rights are asked for. */
  given(trx: Trx, project: string, runIds: readonly string[]): Promise<readonly GivenPassage[]>
}

export type GivenPassage = Citation & { readonly runId: string; readonly spaceId: string }

declare module 'agent-platform' {
  interface Services {
    knowledge: Knowledge
  }
  interface Points {
    'knowledge.provider': KnowledgeProvider
  }
  interface Facts {
    'knowledge.created': StoredSpace
    'knowledge.updated': StoredSpace
    'knowledge.deleted': { id: string }
    /** Also when the level of a grant became another one. */
    'knowledge.granted': Grant
    'knowledge.revoked': Grant
    'knowledge.folder_created': Folder
    'knowledge.folder_updated': Folder
    /** With all that was in it, of which no other fact tells. */
    'knowledge.folder_deleted': { id: string; spaceId: string; folders: number; documents: number }
    'knowledge.document_created': DocumentSummary
    'knowledge.document_updated': DocumentSummary
    'knowledge.imported': Import
    'knowledge.document_deleted': { id: string; spaceId: string }
  }
}
