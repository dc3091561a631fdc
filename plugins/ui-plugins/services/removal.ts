import type { Kernel, Principal } from 'agent-platform'
import { afterCommit } from 'agent-platform'
import type { Objects } from '../../storage/contract.ts'
import { apps } from '../stores/apps.ts'
import type { LayoutStore } from '../stores/layouts.ts'
import type { VersionStore } from '../stores/versions.ts'
import type { AppService } from './apps.ts'
import { iconHolder, versionHolder } from './holders.ts'
import type { Installations } from './installations.ts'

export type Removal = ReturnType<typeof createRemoval>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  storage: Objects
  versionStore: VersionStore
  layoutStore: LayoutStore
  appService: AppService
  installations: Installations
}

/** An app goes with all its versions and pins; what other packs keep for it follows by their cascades. */
export function createRemoval(deps: Deps) {
  const { transaction, facts, storage, versionStore, layoutStore, appService, installations } = deps

  async function remove(
    by: Principal,
    pluginId: string,
    version?: number
  ): Promise<{ id: string; deleted: true }> {
    const { project, id, owner } = await appService.find(by, pluginId, 'change')
    await transaction(async (trx) => {
      await apps.remove(trx, { project, id }, version)
      for (const versionId of await versionStore.removeOfApp(trx, project, id))
        await storage.unlink(trx, versionHolder(versionId))
      await storage.unlink(trx, iconHolder(id))
      await layoutStore.removePins(trx, project, pluginId)
      await facts.record(trx, 'ui-plugins.deleted', by, { subject: id, owner, data: { id, pluginId } })
      afterCommit(trx, () => installations.changed(project, pluginId))
    })
    return { id, deleted: true }
  }

  return { remove }
}
