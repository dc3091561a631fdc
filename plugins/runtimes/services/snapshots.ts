import type { Kernel } from 'agent-platform'
import type { RuntimeRow } from '../stores/runtimes.ts'

export type Snapshots = ReturnType<typeof createSnapshots>

/** What is run, as it was when it was deployed. */
export interface Snapshot {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
}

type At = Pick<RuntimeRow, 'project' | 'id'>

/** What of a runtime is sealed: its secrets, and what it was deployed with. */
export function createSnapshots({ vault }: Pick<Kernel, 'vault'>) {
  const secrets = vault.at('runtimes.runtime', 'secrets')
  const deployed = vault.at('runtimes.runtime', 'deployed')
  return {
    seal: ({ project, id }: At, snapshot: Snapshot): Promise<string> =>
      deployed.seal(project, id, JSON.stringify(snapshot)),
    open: async ({ project, id }: At, sealed: string): Promise<Snapshot> =>
      JSON.parse(await deployed.open(project, id, sealed)),
    sealSecrets: ({ project, id }: At, given: Snapshot['secrets']): Promise<string> =>
      secrets.seal(project, id, JSON.stringify(given)),
    openSecrets: async ({
      project,
      id,
      secrets: sealed
    }: Pick<RuntimeRow, 'project' | 'id' | 'secrets'>): Promise<Snapshot['secrets']> =>
      sealed === null ? {} : JSON.parse(await secrets.open(project, id, sealed))
  }
}
