import type { Item } from './schemas.ts'

declare module 'agent-platform' {
  interface Facts {
    'library.updated': Item
    'library.deleted': { id: string }
  }
}
