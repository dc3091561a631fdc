import type { Beat, Settings } from './schemas.ts'

declare module 'agent-platform' {
  interface Facts {
    /** Without its prompt. */
    'autonomy.updated': Omit<Settings, 'prompt'> & { readonly agentId: string; readonly version: number }
    /** A beat or a payload from outside has begun a run. What comes of it, the facts about that run tell. */
    'autonomy.beat_started': Beat
  }
}
