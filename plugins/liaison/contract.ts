import type { Liaison } from './schemas/liaisons.ts'

/** Of an outsider: never what it said. */
interface AboutOutsider {
  readonly id: string
  readonly liaisonId: string
}
type About = Omit<Liaison, 'mayTell' | 'purpose' | 'status'>

declare module 'agent-platform' {
  interface Facts {
    'liaison.created': About
    'liaison.updated': About
    'liaison.deleted': { id: string }
    'liaison.token_rotated': { id: string }
    'liaison.outsider_met': AboutOutsider
    'liaison.outsider_blocked': AboutOutsider
    'liaison.outsider_unblocked': AboutOutsider
  }
}
