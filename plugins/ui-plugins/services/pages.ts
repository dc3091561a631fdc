import type { Principal } from 'agent-platform'
import { conflict, notFound } from 'agent-platform'
import { packageLimits } from 'agent-platform-app/limits'
import type { Objects } from '../../storage/contract.ts'
import { mayUse } from '../access.ts'
import { withPolicy } from '../page-policy.ts'
import type { AppRow } from '../stores/apps.ts'
import type { StoredFile, VersionRow, VersionStore } from '../stores/versions.ts'
import type { AppService } from './apps.ts'

export type Pages = ReturnType<typeof createPages>

interface Deps {
  storage: Objects
  versionStore: VersionStore
  appService: AppService
}

/** Pages of apps: one HTML document each. */
export function createPages({ storage, versionStore, appService }: Deps) {
  /**
   * The file of a page: of the version that is enabled, for those who may use the app (409 `app_not_enabled` where there is none); of
   * any other one for those who may change it, who see what they registered.
   */
  async function find(by: Principal, pluginId: string, page: string, version?: string): Promise<StoredFile> {
    const app = await appService.find(by, pluginId, version === undefined ? 'read' : 'change')
    const { manifest, files } = await versionOf(by, app, version)
    const entry = manifest.pages.find(({ name }) => name === page)?.entry
    const file = entry === undefined ? undefined : files[entry]
    if (!file) throw notFound('Page')
    return file
  }

  async function versionOf(by: Principal, app: AppRow, semver?: string): Promise<VersionRow> {
    const { project, id, enabledId } = app
    if (semver !== undefined) {
      const found = await versionStore.findNumbered(undefined, project, id, semver)
      if (!found) throw notFound('Version', { param: 'version' })
      return found
    }
    const [enabled] =
      enabledId !== null && mayUse(by, app) ? await versionStore.findSome(project, [enabledId]) : []
    if (!enabled) throw conflict('The app is not enabled', { code: 'app_not_enabled' })
    return enabled
  }

  const read = ({ sha256 }: StoredFile): Promise<Buffer> => storage.read(sha256, packageLimits.pageBytes)

  /** As hosts show it. */
  async function readText(by: Principal, pluginId: string, page: string): Promise<string> {
    return withPolicy(await read(await find(by, pluginId, page))).toString()
  }

  return { find, read, readText }
}
