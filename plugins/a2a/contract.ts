import type { Publication } from './schemas/publications.ts'
import type { RemoteAgent } from './schemas/remotes.ts'

declare module 'agent-platform' {
  interface Facts {
    'a2a.published': Publication
    'a2a.publication_updated': Publication
    'a2a.unpublished': { id: string }
    'a2a.remote_registered': RemoteAgent
    'a2a.remote_updated': RemoteAgent
    'a2a.remote_removed': { id: string }
  }
}
