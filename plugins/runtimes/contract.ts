import type { Runtime } from './schemas/runtimes.ts'

/** What others are told about a runtime: never its variables. */
export interface AboutRuntime {
  readonly id: string
  readonly agentId: string
  readonly observed: Runtime['status']['observed']
  readonly deployment: number
  readonly reason: string | null
}

declare module 'agent-platform' {
  interface Facts {
    'runtimes.configured': AboutRuntime
    'runtimes.deployed': AboutRuntime
    'runtimes.woken': AboutRuntime
    'runtimes.suspended': AboutRuntime
    'runtimes.failed': AboutRuntime
  }
}
