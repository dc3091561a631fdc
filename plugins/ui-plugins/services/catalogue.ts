import type { Kernel, PageOf, Paging } from 'agent-platform'
import { pageOf } from 'agent-platform'
import type { Capability } from '../contract.ts'
import type { CapabilityEntry } from '../schemas/capabilities.ts'

export type Catalogue = ReturnType<typeof createCatalogue>
export type NamedCapability = Capability & { readonly name: string; readonly pack: string }

/** What apps may use, of the packs that are on at this moment. */
export function createCatalogue({ points }: Pick<Kernel, 'points'>) {
  /** By name; of two of one name the first in the point's order. */
  function all(): ReadonlyMap<string, NamedCapability> {
    const found = points
      .all('ui-plugins.capability')
      .map(({ key, pack, value }) => ({ ...value, name: key ?? '', pack }))
    return new Map(found.reverse().map((capability) => [capability.name, capability]))
  }

  const find = (name: string): NamedCapability | undefined => {
    const found = points.all('ui-plugins.capability').find(({ key }) => key === name)
    return found && { ...found.value, name, pack: found.pack }
  }

  function list(page: Paging): PageOf<CapabilityEntry> {
    const entries = [...all().values()].map(shown).sort((a, b) => (a.name < b.name ? -1 : 1))
    return pageOf('capabilities', entries, page)
  }

  return { all, find, list }
}

function shown({ name, pack, narrows, ...rest }: NamedCapability): CapabilityEntry {
  const { title, description, risk, reaches, scope = [], params, result = null, idempotent = false } = rest
  const narrowedTo = narrows?.to ?? null
  const schemas = {
    params: params as Record<string, unknown>,
    result: result as Record<string, unknown> | null
  }
  return {
    name,
    pack,
    title,
    description,
    risk,
    reaches,
    narrowedTo,
    scope: [...scope],
    ...schemas,
    idempotent
  }
}
