import type { Kernel, Principal } from 'agent-platform'
import { conflict, forbidden, notFound } from 'agent-platform'
import { packageLimits } from 'agent-platform-app/limits'
import type { Objects } from '../../storage/contract.ts'
import { mayUse } from '../access.ts'
import type { Installation } from '../contract.ts'
import type { AppStore } from '../stores/apps.ts'
import type { VersionStore } from '../stores/versions.ts'

export type Installations = ReturnType<typeof createInstallations>

const CHANGED = 'ui-plugins.changed'
/** A signal may be lost. */
const BELIEVE_MS = 10_000

interface Deps extends Pick<Kernel, 'remembered'> {
  storage: Objects
  appStore: AppStore
  versionStore: VersionStore
}

/** Apps as they are enabled, from memory as a rule: each call of a function asks, and each call of the platform inside of it. */
export function createInstallations({ remembered, storage, appStore, versionStore }: Deps) {
  const known = remembered(CHANGED, (key) => load(...(JSON.parse(key) as [string, string])), BELIEVE_MS)
  const keyOf = (project: string, pluginId: string) => JSON.stringify([project, pluginId])

  async function load(project: string, pluginId: string) {
    const row = await appStore.find(project, pluginId)
    if (!row) return undefined
    const { id, owner, status, audience, grants, enabledId } = row
    const [version] = enabledId === null ? [] : await versionStore.findSome(project, [enabledId])
    if (status !== 'enabled' || !version) return { owner, project, status, audience }
    const { semver, digest, manifest, files } = version
    const entry = manifest.server && files[manifest.server.entry]
    const text = async () => entry && (await storage.read(entry.sha256, packageLimits.serverBytes)).toString()
    const installation: Installation = {
      id,
      project,
      owner,
      pluginId,
      audience,
      version: semver,
      digest,
      manifest,
      grants,
      load: text
    }
    return { owner, project, status, audience, installation }
  }

  return {
    async of(by: Principal, pluginId: string): Promise<Installation> {
      const found = await known.of(keyOf(by.project, pluginId))
      if (!found) throw notFound('App')
      const { installation, ...app } = found
      const isOff = installation === undefined
      if (!mayUse(by, { ...app, status: 'enabled' }))
        throw forbidden('You do not have access to this app', { code: 'not_owner' })
      if (isOff) throw conflict('The app is not enabled', { code: 'app_not_enabled' })
      return installation
    },
    /** After the commit. */
    changed: (project: string, pluginId: string): void => known.changed(keyOf(project, pluginId)),
    close: () => known[Symbol.dispose]()
  }
}
