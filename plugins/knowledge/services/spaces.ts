import type { Kernel, PageOf, Principal } from 'agent-platform'
import { invalid, reachOwner, recordedEdits } from 'agent-platform'
import { grants } from '../schemas/grants.ts'
import type { NewSpace, Space, SpaceChanges, SpaceQuery } from '../schemas/spaces.ts'
import { spaces } from '../schemas/spaces.ts'
import type { SpaceAccess } from '../stores/access.ts'
import type { SpaceStore } from '../stores/spaces.ts'

/** What this pack searches itself. */
export const EMBEDDED = 'embedded'

export type SpaceService = ReturnType<typeof createSpaceService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'points'> {
  spaceStore: SpaceStore
  spaceAccess: SpaceAccess
}

export function createSpaceService({ transaction, facts, points, spaceStore, spaceAccess }: Deps) {
  const names = { updated: 'knowledge.updated', deleted: 'knowledge.deleted' } as const
  const edits = recordedEdits({ transaction, facts }, spaces, names)

  function checkProvider(provider: string | undefined): void {
    if (provider === undefined || provider === EMBEDDED) return
    if (!points.all('knowledge.provider').some(({ key }) => key === provider))
      throw invalid('/provider', `There is no knowledge provider ${provider}`)
  }

  /** `id`: one that was noted before. */
  async function create(by: Principal, input: NewSpace, id?: string): Promise<Space> {
    const { name, description = null, provider = EMBEDDED } = input
    checkProvider(provider)
    const { project, owner } = by
    const isAgent = by.type === 'agent'
    return transaction(async (trx) => {
      const known = { ...(id !== undefined && { id }), project, owner }
      const data = await spaces.insert(trx, { ...known, name, description, provider })
      // It is the agent's owner's: the agent itself works in it by a grant, as in any other.
      if (isAgent)
        await grants.rows.insert(trx, {
          project,
          owner,
          spaceId: data.id,
          subjectType: 'agent',
          subjectId: by.id,
          level: 'write',
          grantedBy: by.id
        })
      await facts.record(trx, 'knowledge.created', by, { subject: data.id, owner, data })
      return { ...data, access: isAgent ? ('write' as const) : ('manage' as const) }
    })
  }

  async function list(by: Principal, { owner, ...page }: SpaceQuery): Promise<PageOf<Space>> {
    const found = await spaceStore.list(by, page, owner)
    // A page may be empty because what was behind the one before is gone.
    if (owner !== undefined && page.cursor === undefined)
      reachOwner(by, owner, 'owner', { granted: found.data.length > 0 })
    return { ...found, data: await spaceAccess.withAccess(by, found.data) }
  }

  const read = (by: Principal, id: string) => spaceAccess.find(by, id, 'read')

  async function update(by: Principal, id: string, changes: SpaceChanges, version?: number): Promise<Space> {
    const { access, ...found } = await spaceAccess.find(by, id, 'manage')
    checkProvider(changes.provider)
    return { ...(await edits.update(by, found, changes, version)), access }
  }

  /** What is in it goes soon after, in batches. */
  async function remove(by: Principal, id: string, version?: number) {
    const { access: _, ...found } = await spaceAccess.find(by, id, 'manage')
    return edits.remove(by, found, version)
  }

  return { create, list, read, update, remove }
}
