import type { Kernel, Principal } from 'agent-platform'
import { notFound } from 'agent-platform'
import { packageLimits } from 'agent-platform-app/limits'
import type { Files } from '../../files/contract.ts'
import type { Objects } from '../../storage/contract.ts'
import type { Appearance as Given } from '../schemas/appearance.ts'
import type { App } from '../schemas/apps.ts'
import type { AppRow } from '../stores/apps.ts'
import { apps } from '../stores/apps.ts'
import type { StoredFile, VersionStore } from '../stores/versions.ts'
import type { AppViews } from './app-views.ts'
import type { AppService } from './apps.ts'
import { iconHolder } from './holders.ts'
import { decodeBase64, once } from './packages.ts'

export type Appearance = ReturnType<typeof createAppearance>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'log'> {
  files: Files
  storage: Objects
  versionStore: VersionStore
  appService: AppService
  appViews: AppViews
}

/** How an app looks where people choose one. */
export function createAppearance(deps: Deps) {
  const { transaction, facts, log, files, storage, versionStore, appService, appViews } = deps

  async function set(by: Principal, pluginId: string, { icon }: Given, version?: number): Promise<App> {
    const app = await appService.find(by, pluginId, 'change')
    if (icon === null) return appViews.show(await change(by, app, null, version))
    const given = decodeBase64(icon.base64, '/icon/base64')
    const bytes = await files.picture(by, given, { what: 'An icon', param: '/icon/base64' })
    const put = await storage.put(once(bytes), { maxBytes: bytes.length })
    try {
      const { size, sha256 } = put
      return await appViews.show(await change(by, app, { size, sha256 }, version))
    } catch (error) {
      await storage.release(put).catch((err) => log.warn({ err }, 'an object was not given up'))
      throw error
    }
  }

  const change = (by: Principal, app: AppRow, icon: StoredFile | null, version?: number) =>
    transaction(async (trx) => {
      const { row, isChanged } = await apps.update(trx, app, { icon }, version)
      if (!isChanged) return row
      const { id, owner, pluginId } = row
      await storage.unlink(trx, iconHolder(id))
      if (icon) await storage.link(trx, icon.sha256, iconHolder(id))
      const data = { id, pluginId, icon: icon?.sha256 ?? null }
      await facts.record(trx, 'ui-plugins.appearance_changed', by, { subject: id, owner, data })
      return row
    })

  /** What people set, else the one of the version that is shown; 404 `icon_missing` where there is neither. */
  async function findIcon(by: Principal, pluginId: string): Promise<StoredFile> {
    const { project, icon, enabledId, draftId } = await appService.find(by, pluginId, 'read')
    const [version] = icon ? [] : await versionStore.findSome(project, [enabledId ?? draftId])
    const found = icon ?? version?.icon
    if (!found) throw notFound('Icon', { code: 'icon_missing' })
    return found
  }

  const read = ({ sha256 }: StoredFile): Promise<Buffer> => storage.read(sha256, packageLimits.iconBytes)

  return { set, findIcon, read }
}
