import type { PageOf, Paging, Principal, Trx, Verb } from 'agent-platform'
import { owned } from 'agent-platform'
import type { Manifest } from 'agent-platform-app/manifest'
import { isMaintainer, mayUse } from '../access.ts'
import type { AppState, InstalledApp, OwnedApp, UsableApp } from '../contract.ts'
import type { AppQuery, AppVersion } from '../schemas/apps.ts'
import type { AppRow, AppStore } from '../stores/apps.ts'
import { apps } from '../stores/apps.ts'
import type { VersionRow, VersionStore } from '../stores/versions.ts'
import type { AppViews } from './app-views.ts'

export type AppService = ReturnType<typeof createAppService>

interface Deps {
  appStore: AppStore
  versionStore: VersionStore
  appViews: AppViews
}

export function createAppService({ appStore, versionStore, appViews }: Deps) {
  /** 404, or 403 where it is another owner's; `read` is also for those who may use it. */
  async function find(by: Principal, pluginId: string, verb: Verb, param?: string): Promise<AppRow> {
    const row = await appStore.find(by.project, pluginId)
    const granted = isMaintainer(by) || (verb === 'read' && row !== undefined && mayUse(by, row))
    return owned(by, row, apps.what, verb, { granted, ...(param !== undefined && { param }) })
  }

  async function ownedApp(by: Principal, pluginId: string, verb: Verb, param?: string): Promise<OwnedApp> {
    const { id, project, owner, status, enabledId, draftId } = await find(by, pluginId, verb, param)
    const [version] = await versionStore.findSome(project, [enabledId ?? draftId])
    return { id, project, owner, pluginId, status, manifest: (version as VersionRow).manifest }
  }

  /** Of the version that is enabled, if there is one, and of the one that was registered last. */
  async function manifestsOf(
    { project, enabledId, draftId }: Pick<AppRow, 'project' | 'enabledId' | 'draftId'>,
    trx?: Trx
  ): Promise<{ enabled: Manifest | undefined; draft: Manifest }> {
    const found = await versionStore.findSome(project, enabledId ? [enabledId, draftId] : [draftId], trx)
    const of = (id: string | null) => found.find((it) => it.id === id)?.manifest
    return { enabled: of(enabledId), draft: of(draftId) as Manifest }
  }

  const read = async (by: Principal, pluginId: string) => appViews.show(await find(by, pluginId, 'read'))

  async function list(by: Principal, { status, ...page }: AppQuery) {
    const { data, nextCursor } = await appStore.list(by, page, status)
    return { data: await appViews.showAll(data), nextCursor }
  }

  /** What else was registered is for those who may change the app. */
  async function listVersions(by: Principal, pluginId: string, page: Paging) {
    const { project, id } = await find(by, pluginId, 'change')
    const { data, nextCursor } = await versionStore.list(project, id, page)
    return { data: data.map(shown), nextCursor }
  }

  async function listUsable(by: Principal, page: Paging): Promise<PageOf<UsableApp>> {
    const { data, nextCursor } = await appStore.listUsable(by, page)
    const enabled = data.flatMap(({ enabledId }) => enabledId ?? [])
    const versions = await versionStore.findSome(by.project, enabled)
    const usable = data.flatMap(({ id, pluginId, owner, audience, enabledId }) => {
      const version = versions.find((it) => it.id === enabledId)
      return version ? { id, pluginId, owner, audience, manifest: version.manifest } : []
    })
    return { data: usable, nextCursor }
  }

  async function states(
    trx: Trx,
    project: string,
    ids: readonly string[]
  ): Promise<ReadonlyMap<string, AppState>> {
    const rows = await appStore.listAt(trx, project, ids)
    const enabled = rows.flatMap(({ enabledId }) => enabledId ?? [])
    const versions = await versionStore.findSome(project, enabled, trx)
    return new Map(
      rows.map(({ id, pluginId, owner, audience, status, enabledId, version: revision }) => {
        const manifest = versions.find((it) => it.id === enabledId)?.manifest
        return [id, { id, pluginId, owner, audience, status, revision, manifest }]
      })
    )
  }

  async function listInstalled(after: string, limit: number): Promise<readonly InstalledApp[]> {
    const rows = await appStore.listInstalled(after, limit)
    return rows.map(({ project, id, owner, version: revision }) => ({ project, id, owner, revision }))
  }

  return { find, owned: ownedApp, manifestsOf, read, list, listVersions, listUsable, states, listInstalled }
}

const shown = ({ semver: version, digest, size, createdAt, manifest, files }: VersionRow): AppVersion => ({
  version,
  digest,
  size,
  createdAt: createdAt as unknown as string,
  manifest,
  files: Object.entries(files)
    .sort()
    .map(([path, { size, sha256 }]) => ({ path, size, sha256 }))
})
