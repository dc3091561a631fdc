import type { Owned } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { SandboxProgram } from '../../sandbox/contract.ts'
import type { Installation } from '../contract.ts'

/**
 * Who is blamed for processes that an app was the end of: also by another installation of the same owner, so that an app that is
 * deleted and registered again does not begin anew.
 */
export const culpritOf = ({ project, owner, pluginId }: Owned & Pick<Installation, 'pluginId'>): string =>
  JSON.stringify([project, owner, pluginId])

export type Programs = ReturnType<typeof createPrograms>

/** Characters of texts that are kept. */
const KEPT = 33_554_432

/** Apps as programs of the sandbox. A text is kept by its digest: each process of the sandbox asks for it. */
export function createPrograms() {
  const texts = new LRUCache<string, string>({ maxSize: KEPT, sizeCalculation: (text) => text.length + 1 })

  async function load({ digest, load }: Installation): Promise<string> {
    const known = texts.get(digest)
    if (known !== undefined) return known
    const text = await load()
    if (text === undefined) throw new Error('The app has no server code')
    texts.set(digest, text)
    return text
  }

  return {
    of: (app: Installation): SandboxProgram => ({
      id: `${app.project}/${app.id}/${app.digest}`,
      group: app.project,
      culprit: culpritOf(app),
      load: () => load(app),
      ...(app.manifest.limits && { limits: app.manifest.limits })
    })
  }
}
