import type { Item } from './schemas.ts'
import type { ShareLink } from './share-schemas.ts'

declare module 'agent-platform' {
  interface Facts {
    'library.updated': Item
    'library.deleted': { id: string }
    'library.shared': ShareLink
    'library.unshared': { id: string; itemId: string }
  }
}
