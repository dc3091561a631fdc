import { isHostWithin } from '../manifest/hosts.ts'
import type { CapabilityGrant, Grants } from './schema.ts'

/** What a grant of a capability may be narrowed to. */
export interface Narrowing {
  readonly to: 'agents' | 'spaces'
  /**
   * JSON pointer into the parameters, to the id or the list of ids that it is about. Without one the capability itself
   * gives no more than the grant names.
   */
  readonly at?: string
}

export type Permit =
  | { readonly permitted: true; readonly grant: CapabilityGrant }
  | {
      readonly permitted: false
      readonly code: 'capability_not_granted' | 'narrowed'
      readonly message: string
    }

/** Whether an app with these grants may call the capability with these parameters, now. */
export function permits(
  grants: Grants,
  { name, narrows }: { readonly name: string; readonly narrows?: Narrowing },
  params: unknown
): Permit {
  const grant = grants.capabilities.find((it) => it.name === name)
  if (!grant) {
    const message = `${name} was not granted to this app`
    return { permitted: false, code: 'capability_not_granted', message }
  }
  // A grant that was narrowed to what this capability knows nothing of gives nothing.
  const stray = (['agents', 'spaces'] as const).find((kind) => grant[kind] && kind !== narrows?.to)
  const allowed = narrows && grant[narrows.to]
  const asked = allowed && narrows.at !== undefined ? idsAt(params, narrows.at) : []
  if (!stray && asked?.every((id) => allowed?.includes(id))) return { permitted: true, grant }
  const message = `${name} was granted for certain ${stray ?? narrows?.to} only`
  return { permitted: false, code: 'narrowed', message }
}

/** Whether an app with these grants may talk to that host, by https on that port. */
export const permitsHost = ({ hosts }: Grants, name: string, port = 443): boolean => {
  const host = `${name.toLowerCase()}:${port}`
  return hosts.some((granted) => isHostWithin(host, granted))
}

/** Undefined where there is neither an id nor a list of ids. */
function idsAt(params: unknown, pointer: string): readonly string[] | undefined {
  let at = params
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, name)) return undefined
    at = (at as Record<string, unknown>)[name]
  }
  const ids = Array.isArray(at) ? at : [at]
  return ids.length > 0 && ids.every((id) => typeof id === 'string') ? ids : undefined
}
