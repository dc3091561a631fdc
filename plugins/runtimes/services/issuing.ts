import type { Kernel, Principal } from 'agent-platform'
import { forbidden } from 'agent-platform'
import type { RuntimeSettings } from '../settings.ts'
import type { ProcessRow } from '../stores/processes.ts'

export type Issuing = ReturnType<typeof createIssuing>

/** The routes that are made for runtimes, and no other: everything else is 403 for such a credential. */
const SCOPES = ['runtime:read', 'runtime:write']

/** Credentials of processes: short-lived, of the agent alone, and revoked when the process ends. */
export function createIssuing({
  credentials,
  principals,
  log,
  settings
}: Pick<Kernel, 'credentials' | 'principals' | 'log'> & { settings: RuntimeSettings }) {
  return {
    async issue({ project, owner, agentId }: Pick<ProcessRow, 'project' | 'owner' | 'agentId'>) {
      const of = await principals.of(project, owner)
      if (!of) throw forbidden('The owner of the runtime is disabled', { code: 'owner_disabled' })
      const { scopes } = of
      const agent: Principal = {
        project,
        id: agentId,
        type: 'agent',
        owner,
        scopes,
        narrowed: false,
        credential: ''
      }
      return credentials.mint(agent, SCOPES, settings.credentialSeconds)
    },
    async revoke(ids: readonly string[]): Promise<void> {
      for (const id of ids)
        await credentials
          .revoke(id)
          .catch((error) => log.error({ err: error }, 'A credential of a runtime was not revoked'))
    }
  }
}
