import { notFound } from 'agent-platform'
import type { CapabilityNotice } from 'agent-platform-app/grants'
import { difference } from 'agent-platform-app/grants'
import type { Sandbox } from '../../sandbox/contract.ts'
import { culpritOf } from '../functions/programs.ts'
import type { App } from '../schemas/apps.ts'
import type { AppRow } from '../stores/apps.ts'
import type { VersionRow, VersionStore } from '../stores/versions.ts'
import type { Catalogue } from './catalogue.ts'

export type AppViews = ReturnType<typeof createAppViews>

interface Deps {
  catalogue: Catalogue
  sandbox: Sandbox | undefined
  versionStore: VersionStore
}

/** Apps as callers see them. */
export function createAppViews({ catalogue, sandbox, versionStore }: Deps) {
  /** All of one project, but for those that were deleted since they were read. */
  async function showAll(rows: readonly AppRow[]): Promise<App[]> {
    const ids = rows.flatMap(({ enabledId, draftId }) => (enabledId ? [enabledId, draftId] : [draftId]))
    const project = rows[0]?.project
    const found = project === undefined ? [] : await versionStore.findSome(project, [...new Set(ids)])
    const versions = new Map(found.map((version) => [version.id, version]))
    const notices = catalogue.all()
    return rows.flatMap((row) => {
      const draft = versions.get(row.draftId)
      return draft ? [view(row, draft, versions, (name) => notices.get(name))] : []
    })
  }

  function view(
    { project, draftId, enabledId, ...row }: AppRow,
    draft: VersionRow,
    versions: ReadonlyMap<string, VersionRow>,
    noticeOf: (capability: string) => CapabilityNotice | undefined
  ): App {
    const enabled = enabledId === null ? undefined : versions.get(enabledId)
    const current = enabled && { manifest: enabled.manifest, grants: row.grants }
    const { name, description, functions, pages } = (enabled ?? draft).manifest
    return {
      ...row,
      name,
      description,
      enabled: enabled ? brief(enabled) : null,
      draft: draftId === enabledId ? null : brief(draft),
      consent: [...difference(current, draft.manifest, noticeOf)],
      functions: functions.map(({ name, title = null, description, tool = false }) => {
        return { name, title, description, tool }
      }),
      pages: pages.map(({ name, title }) => ({ name, title, uri: `ui://${row.pluginId}/${name}` })),
      icon: (row.icon ?? (enabled ?? draft).icon)?.sha256 ?? null,
      health: healthOf(culpritOf({ project, ...row }))
    }
  }

  function healthOf(culprit: string): App['health'] {
    const health = sandbox?.health(culprit)
    const without = sandbox ? null : 'The pack sandbox is off: code of apps is not examined, and does not run'
    const { state = 'healthy', losses = 0, reason = without, until } = health ?? {}
    return { state, losses, reason, until: until ? until.toISOString() : null }
  }

  /** 404 where it was deleted since it was read. */
  async function show(row: AppRow): Promise<App> {
    const [app] = await showAll([row])
    if (!app) throw notFound('App')
    return app
  }

  return { show, showAll }
}

const brief = ({ semver: version, digest, size, createdAt }: VersionRow) => {
  return { version, digest, size, createdAt: createdAt as unknown as string }
}
