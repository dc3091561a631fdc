import type { Kernel, Principal, Trx } from 'agent-platform'
import { afterCommit, conflict, forbidden, invalid, notFound, owned } from 'agent-platform'
import type { Grants } from 'agent-platform-app/grants'
import { checkGrants, difference, grantsWithin, isNoMore } from 'agent-platform-app/grants'
import type { Manifest } from 'agent-platform-app/manifest'
import { isMaintainer } from '../access.ts'
import type { Connections } from '../connections/connections.ts'
import type { App } from '../schemas/apps.ts'
import type { NewStatus } from '../schemas/permissions.ts'
import type { AppRow } from '../stores/apps.ts'
import { apps } from '../stores/apps.ts'
import type { VersionRow, VersionStore } from '../stores/versions.ts'
import type { AppViews } from './app-views.ts'
import type { AppService } from './apps.ts'
import type { Catalogue } from './catalogue.ts'
import type { Installations } from './installations.ts'

export type Permissions = ReturnType<typeof createPermissions>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  versionStore: VersionStore
  appService: AppService
  appViews: AppViews
  catalogue: Catalogue
  installations: Installations
  connections: Connections
}
/** What a person decides about an app. */
type Decision = Pick<AppRow, 'status' | 'audience' | 'grants' | 'enabledId'>

/** What an app may do, and for whom: less of it by its owner or a maintainer, more by those for whom it then acts. */
export function createPermissions(deps: Deps) {
  const { transaction, facts, versionStore, appService, appViews, catalogue, installations, connections } =
    deps

  async function setStatus(
    by: Principal,
    pluginId: string,
    input: NewStatus,
    version?: number
  ): Promise<App> {
    const { id, project } = await appService.find(by, pluginId, 'change')
    if (input.status === 'off') return appViews.show(await turnOff(by, { id, project }, input, version))
    const row = await transaction(async (trx) => {
      const app = await apps.lock(trx, { project, id }, version)
      const [current, next] = await versionsOf(trx, app, input.version)
      const grants = input.grants ?? grantsWithin(next.manifest, app.grants)
      checkGiven(next.manifest, grants, app.grants, '/grants')
      const decision = {
        status: 'enabled',
        audience: input.audience ?? app.audience,
        grants,
        enabledId: next.id
      } as const
      const isMore = reachesFurther(app, decision, current?.manifest, next.manifest)
      if (isMore) refuseUnlessDecides(by, app, decision.audience)
      return decide(trx, by, app, decision, next)
    })
    return appViews.show(row)
  }

  const turnOff = (by: Principal, key: Pick<AppRow, 'project' | 'id'>, input: NewStatus, version?: number) =>
    transaction(async (trx) => {
      for (const name of ['version', 'audience', 'grants'] as const)
        if (input[name] !== undefined) throw invalid(`/${name}`, 'Only where the app is enabled')
      const app = await apps.lock(trx, key, version)
      const [current] = await versionsOf(trx, app)
      if (!current) throw neverEnabled()
      return decide(trx, by, app, { ...app, status: 'off' }, current)
    })

  async function setGrants(by: Principal, pluginId: string, grants: Grants, version?: number): Promise<App> {
    const { id, project } = await appService.find(by, pluginId, 'change')
    const row = await transaction(async (trx) => {
      const app = await apps.lock(trx, { project, id }, version)
      const [current] = await versionsOf(trx, app)
      if (!current) throw neverEnabled()
      checkGiven(current.manifest, grants, app.grants, '')
      if (!isNoMore(grants, app.grants)) refuseUnlessDecides(by, app, app.audience)
      const { row, isChanged } = await apps.update(trx, app, { grants })
      if (isChanged) await tell(trx, 'ui-plugins.grants_changed', by, row, current)
      return row
    })
    return appViews.show(row)
  }

  /** The version that is enabled, and the one that is meant. */
  async function versionsOf(
    trx: Trx,
    { project, id, enabledId, draftId }: AppRow,
    semver?: string
  ): Promise<[current: VersionRow | undefined, next: VersionRow]> {
    const found = await versionStore.findSome(project, enabledId ? [enabledId, draftId] : [draftId], trx)
    const of = (versionId: string | null) => found.find((it) => it.id === versionId)
    const next =
      semver === undefined ? of(draftId) : await versionStore.findNumbered(trx, project, id, semver)
    if (!next) throw notFound('Version', { param: '/version' })
    return [of(enabledId), next]
  }

  /** No more than was asked for, and nothing that nobody knows the meaning of; what was given before may be sent back. */
  function checkGiven(manifest: Manifest, grants: Grants, before: Grants, under: string): void {
    const [problem] = checkGrants(manifest, grants)
    if (problem) throw invalid(`${under}${problem.pointer}`, `A grant ${problem.message}`)
    for (const [at, { name, ...narrowed }] of grants.capabilities.entries()) {
      if (before.capabilities.some((it) => it.name === name) && !catalogue.find(name)) continue
      const capability = catalogue.find(name)
      if (!capability)
        throw invalid(`${under}/capabilities/${at}/name`, `Nothing offers ${name} now`, 'capability_missing')
      for (const kind of Object.keys(narrowed))
        if (kind !== capability.narrows?.to)
          throw invalid(`${under}/capabilities/${at}/${kind}`, `${name} cannot be narrowed to ${kind}`)
    }
  }

  /** In the name of everybody of the project decides who has `platform:admin`; in that of the owner, the owner alone. */
  function refuseUnlessDecides(by: Principal, app: AppRow, audience: AppRow['audience']): void {
    if (audience === 'owner') return void owned(by, app, apps.what, 'change')
    if (!isMaintainer(by))
      throw forbidden('What an app may do for the whole project is decided with platform:admin', {
        code: 'maintainer_required'
      })
  }

  async function decide(
    trx: Trx,
    by: Principal,
    app: AppRow,
    decision: Decision,
    version: VersionRow
  ): Promise<AppRow> {
    const { status, audience, grants, enabledId } = decision
    const { row, isChanged } = await apps.update(trx, app, { status, audience, grants, enabledId })
    const fact = status === 'off' ? 'ui-plugins.disabled' : 'ui-plugins.enabled'
    if (isChanged) await tell(trx, fact, by, row, version)
    if (enabledId !== app.enabledId) await connections.prune(trx, by, row)
    return row
  }

  type FactName = 'ui-plugins.enabled' | 'ui-plugins.disabled' | 'ui-plugins.grants_changed'
  async function tell(
    trx: Trx,
    name: FactName,
    by: Principal,
    app: AppRow,
    { semver }: VersionRow
  ): Promise<void> {
    const { id, project, owner, pluginId, audience, grants } = app
    const data = { id, pluginId, version: semver, audience, grants }
    await facts.record(trx, name, by, { subject: id, owner, data })
    afterCommit(trx, () => installations.changed(project, pluginId))
  }

  /** An update of an app that is enabled takes its place, unless a person has to agree to something. */
  async function activate(trx: Trx, by: Principal, app: AppRow, next: VersionRow): Promise<AppRow> {
    const [current] = await versionsOf(trx, app)
    if (!current || app.status !== 'enabled') return app
    const items = difference({ manifest: current.manifest, grants: app.grants }, next.manifest)
    if (items.some(({ isNew }) => isNew)) return app
    const grants = grantsWithin(next.manifest, app.grants)
    return decide(trx, by, app, { ...app, grants, enabledId: next.id }, next)
  }

  return { setStatus, setGrants, activate }
}

/** Whether an app could do more by that, or for others. */
function reachesFurther(
  app: AppRow,
  decision: Decision,
  before: Manifest | undefined,
  next: Manifest
): boolean {
  if (app.status !== 'enabled' || !before) return true
  if (decision.audience === 'project' && app.audience === 'owner') return true
  if (!isNoMore(decision.grants, app.grants)) return true
  // Capabilities and hosts are of no use without grants; to the rest one agrees with the version.
  return difference({ manifest: before, grants: app.grants }, next).some(
    ({ isNew, kind }) => isNew && kind !== 'capability' && kind !== 'host'
  )
}

const neverEnabled = () => conflict('The app was never enabled', { code: 'app_not_enabled' })
