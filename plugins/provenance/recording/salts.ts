import { createHmac, randomBytes } from 'node:crypto'
import type { Kernel } from 'agent-platform'
import type { SaltStore } from '../stores/salts.ts'

export type Salts = ReturnType<typeof createSalts>

interface Deps extends Pick<Kernel, 'vault' | 'remembered'> {
  saltStore: SaltStore
}

/** What hides the items of a trace that are not shown: always the same for a run, and known to nobody else. */
export function createSalts({ vault, remembered, saltStore }: Deps) {
  const sealing = vault.at('provenance.salt')
  const known = remembered('provenance.salt', async (project) => {
    let sealed = await saltStore.find(project)
    if (sealed === undefined) {
      await saltStore.insert(project, await sealing.seal(project, project, randomBytes(32).toString('hex')))
      sealed = await saltStore.find(project)
    }
    if (sealed === undefined) throw new Error('The salt of a project is gone')
    return sealing.open(project, project, sealed)
  })

  return {
    /** 32 bytes in hex. */
    of: async (project: string, runId: string): Promise<string> =>
      createHmac('sha256', Buffer.from(await known.of(project), 'hex'))
        .update(runId)
        .digest('hex'),

    stop: () => known[Symbol.dispose]()
  }
}
