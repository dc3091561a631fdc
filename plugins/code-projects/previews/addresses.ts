import type { Kernel } from 'agent-platform'
import type { CodeProjectSettings } from '../settings.ts'

export type Addresses = ReturnType<typeof createAddresses>

interface Deps extends Pick<Kernel, 'platform' | 'signals'> {
  settings: CodeProjectSettings
}
/** Heard by what remembers what an address leads to. */
export const CHANGED = 'code-projects.site'

/** Where previews are. */
export function createAddresses({ platform, signals, settings }: Deps) {
  const base = settings.previewUrl.replace(/\/$/, '')
  const isApart = base.includes('*')
  /** Of a slug, or of one of its publications, which is `<slug>~<number>`. */
  const originOf = (name: string): string =>
    base === '' ? new URL(platform.baseUrl).origin : base.replace('*', name.split('~')[0] ?? '')

  return {
    of: (name: string): string => `${originOf(name)}/v1/previews/${name}/`,
    /** The host that this preview is to be asked for at; undefined: any. */
    hostOf: (name: string): string | undefined => (base === '' ? undefined : new URL(originOf(name)).host),
    originOf,
    /** Each preview has an origin of its own, on which nothing else is. */
    isApart,
    changed: (slug: string): void => signals.send(CHANGED, slug)
  }
}
