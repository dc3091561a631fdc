import { forbidden } from '../contract/errors.ts'
import type { Fragment, Hot } from '../database/hot.ts'
import { textGiven } from '../database/hot.ts'
import type { Delegation } from './attenuation/delegation.ts'
import { delegated } from './attenuation/delegation.ts'
import type { Principal } from './ownership.ts'

/** Owners, for work that no request asks for. */
export interface Principals {
  /**
   * The owner of something as a principal, which may what its project may; with no credential that could be revoked or
   * shown. Undefined while it is disabled, or its project closed: its background work rests. With what a token left of it, no
   * more than that: 403 `token_expired` once the token has ended, `token_revoked` once its key is good for nothing.
   */
  of(project: string, owner: string, delegation?: Delegation | null): Promise<Principal | undefined>
  /** The same as a part of a statement: a row for each of the query `given`, which has a `project` and an `owner`. */
  fragment(given: string): Fragment
  /** What `of` gives, by a row of that fragment. */
  from(row: OwnerRow): Principal | undefined
}

export interface OwnerRow extends Pick<Principal, 'project' | 'id'> {
  /** Null with `owner`: stored nowhere, as those are for whom a service acts, and people whom an identity provider knows. */
  readonly type: Principal['type'] | null
  readonly owner: string | null
  readonly disabled: boolean
  readonly scopes: readonly string[] | null
}

const fragmentText = textGiven(
  (given: string) => `select g.project, g.owner as id, p.type, p.owner,
    coalesce(p."disabledAt", k."closedAt") is not null as disabled, k.scopes
  from ${given} g left join kernel.project k on k.id = g.project
    left join kernel.principal p on p.project = g.project and p.id = g.owner`
)
/** As a credential is looked at when it is used. */
const goodText = `select c.id from kernel.credential c
  join kernel.principal p on p.project = c.project and p.id = c.principal
  where c.id = any($1::text[]) and c."revokedAt" is null and p."disabledAt" is null
    and (c."expiresAt" is null or c."expiresAt" > now())`
const askedText = 'select $1::text as project, $2::text as owner'

export function createPrincipals(hot: Hot): Principals {
  const fragment = (given: string): Fragment => ({ text: fragmentText(given), values: [] })

  function from({ project, id, type, owner, disabled, scopes }: OwnerRow): Principal | undefined {
    if (disabled) return undefined
    return {
      id,
      type: type ?? 'user',
      project,
      owner: owner ?? id,
      scopes: new Set(scopes),
      narrowed: false,
      credential: ''
    }
  }

  async function check({ attenuation: { endsAt = Number.POSITIVE_INFINITY, keys = [] } }: Delegation) {
    if (endsAt <= Date.now())
      throw forbidden('The token that started this work has expired', { code: 'token_expired' })
    const good = await hot.query('kernel.delegation', goodText, [keys])
    if (good.length < keys.length)
      throw forbidden(
        'The API key behind the token that started this work was revoked, disabled or has expired',
        {
          code: 'token_revoked'
        }
      )
  }

  return {
    async of(project, owner, delegation = null) {
      const asked = { text: askedText, values: [project, owner] }
      const parts = { asked, principal: fragment('asked') }
      const [row] = await hot.together<OwnerRow>('kernel.principal', parts, 'select * from principal')
      const principal = row && from(row)
      if (!principal || !delegation) return principal
      await check(delegation)
      return delegated(principal, delegation)
    },
    fragment,
    from
  }
}
