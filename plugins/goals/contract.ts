import type { Goal } from './schemas.ts'

declare module 'agent-platform' {
  interface Facts {
    'goals.created': Goal
    'goals.updated': Goal
    'goals.deleted': { id: string }
  }
}
