import type { Preference } from './addressing/schemas.ts'
import type { Grant } from './granting/schemas.ts'
import type { Item } from './schemas.ts'
import type { ShareLink } from './share-schemas.ts'

declare module 'agent-platform' {
  interface Facts {
    'library.created': Item
    'library.updated': Item
    /** It has a CID now, which is of no edit. */
    'library.addressed': { id: string; cid: string }
    'library.preference_updated': Preference
    'library.deleted': { id: string }
    /** Also when the level of a grant became another one. */
    'library.granted': Grant
    'library.revoked': Grant
    'library.shared': ShareLink
    'library.unshared': { id: string; itemId: string }
  }
}
