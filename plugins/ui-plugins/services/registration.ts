import type { Kernel, Principal, Trx } from 'agent-platform'
import { conflict, insufficientStorage, owned } from 'agent-platform'
import { noGrants } from 'agent-platform-app/grants'
import type { Objects, PutObject } from '../../storage/contract.ts'
import type { Connections } from '../connections/connections.ts'
import type { App, NewVersion } from '../schemas/apps.ts'
import type { UiPluginSettings } from '../settings.ts'
import type { AppRow, AppStore } from '../stores/apps.ts'
import { apps } from '../stores/apps.ts'
import type { VersionRow, VersionStore } from '../stores/versions.ts'
import type { AppViews } from './app-views.ts'
import type { Examination } from './examination.ts'
import { versionHolder } from './holders.ts'
import type { Package, Packages } from './packages.ts'
import { filesOf, iconOf } from './packages.ts'
import type { Permissions } from './permissions.ts'

export type Registration = ReturnType<typeof createRegistration>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  settings: UiPluginSettings
  storage: Objects
  appStore: AppStore
  versionStore: VersionStore
  packages: Packages
  examination: Examination
  appViews: AppViews
  permissions: Permissions
  connections: Connections
}

/** Versions come in; nothing is enabled by that. */
export function createRegistration(deps: Deps) {
  const { transaction, facts, settings, storage, appStore, versionStore, packages, appViews } = deps

  /** The same version with the same content is there once; with another one it is 409 `version_exists`. */
  async function register(
    by: Principal,
    input: NewVersion,
    version?: number
  ): Promise<{ app: App; isNew: boolean }> {
    const incoming = await packages.check(by, input)
    const { id: pluginId } = incoming.manifest
    const before = await findOwn(by, pluginId)
    const known =
      before && (await versionStore.findNumbered(undefined, by.project, before.id, incoming.manifest.version))
    if (known) refuseOther(known, incoming)
    else await deps.examination.examine(by, incoming)
    // What is there already is not put again.
    const puts = known ? new Map<string, PutObject>() : await packages.put(incoming)
    try {
      const row = await transaction((trx) => record(trx, by, incoming, puts, { ...input, ifMatch: version }))
      return { app: await appViews.show(row), isNew: before === undefined }
    } catch (error) {
      await packages.giveUp(puts)
      throw error
    }
  }

  async function findOwn(by: Principal, pluginId: string, trx?: Trx): Promise<AppRow | undefined> {
    const row = await appStore.find(by.project, pluginId, trx)
    return row && owned(by, row, apps.what, 'change', { param: '/manifest/id' })
  }

  async function record(
    trx: Trx,
    by: Principal,
    { manifest, digest, size, ...rest }: Package,
    puts: ReadonlyMap<string, PutObject>,
    { activate = false, ifMatch }: Pick<NewVersion, 'activate'> & { ifMatch: number | undefined }
  ): Promise<AppRow> {
    const { project } = by
    await appStore.lockPlugin(trx, project, manifest.id)
    const before = await findOwn(by, manifest.id, trx)
    await appStore.lockQuota(trx, project, before?.owner ?? by.owner)
    const app = before ?? (await insert(trx, by, manifest.id))
    const known = await versionStore.findNumbered(trx, project, app.id, manifest.version)
    if (known) refuseOther(known, { manifest, digest, size, ...rest })
    const { owner, id: appId } = app
    const found =
      known ??
      (await versionStore.insert(trx, {
        project,
        owner,
        appId,
        semver: manifest.version,
        digest,
        size,
        manifest,
        files: filesOf(puts),
        icon: iconOf(puts)
      }))
    if (!known) {
      // In one order everywhere, so that no two wait for each other.
      const sums = [...new Set([...puts.values()].map(({ sha256 }) => sha256))].sort()
      for (const sha256 of sums) await storage.link(trx, sha256, versionHolder(found.id))
      await refuseFull(trx, app)
    }
    const { row } = await apps.update(trx, app, { draftId: found.id }, ifMatch)
    if (!known) {
      const { id, pluginId, audience, grants } = row
      const data = { id, pluginId, audience, version: found.semver, grants }
      await facts.record(trx, 'ui-plugins.registered', by, { subject: id, owner, data })
    }
    if (before && found.id !== before.draftId) await deps.connections.prune(trx, by, row)
    const done = activate ? await deps.permissions.activate(trx, by, row, found) : row
    await prune(trx, done)
    return done
  }

  async function insert(trx: Trx, { project, owner }: Principal, pluginId: string): Promise<AppRow> {
    if ((await appStore.countOfOwner(trx, project, owner)) >= settings.ownerApps)
      throw insufficientStorage(`An owner has at most ${settings.ownerApps} apps`, { code: 'quota_exceeded' })
    const made = {
      status: 'draft',
      audience: 'owner',
      grants: noGrants,
      enabledId: null,
      draftId: ''
    } as const
    return apps.insert(trx, { project, owner, pluginId, ...made })
  }

  async function refuseFull(trx: Trx, { project, owner }: AppRow): Promise<void> {
    if ((await versionStore.countBytes(trx, project, owner)) > settings.ownerBytes)
      throw insufficientStorage(`The apps of an owner have at most ${settings.ownerBytes} bytes`, {
        code: 'quota_exceeded'
      })
  }

  /** The oldest go, but never the one that is enabled. */
  async function prune(trx: Trx, { project, id, enabledId, draftId }: AppRow): Promise<void> {
    const keep = [enabledId, draftId].filter((it) => it !== null)
    const most = settings.versions
    for (const gone of await versionStore.removeOld(trx, project, id, { most, keep }))
      await storage.unlink(trx, versionHolder(gone))
  }

  return { register }
}

function refuseOther(known: VersionRow, { manifest, digest }: Package): void {
  if (known.digest === digest) return
  throw conflict(`Version ${manifest.version} is there with other content: versions never change`, {
    code: 'version_exists',
    param: '/manifest/version'
  })
}
