import type { Knex } from 'knex'
import { forbidden, notFound } from '../contract/errors.ts'
import type { Row, Table } from '../contract/table.ts'
import { isWithinAgents } from '../identity/attenuation/rights.ts'
import type { Asking, Principal } from '../identity/ownership.ts'
import { noAccess, reach, reaches } from '../identity/ownership.ts'
import type { GrantTable } from './grant-table.ts'
import { isSame, subjectsOf } from './subjects.ts'

/** What a principal reaches, with the most that it may do with it. */
export type Reached<R, L extends string> = R & { readonly access: L }

export type GrantAccess<R extends Row, L extends string> = ReturnType<typeof grantAccess<R, string, L>>

/**
 * Who may do what with rows that are owned or granted: asked of the record at each use, so that what is revoked ends at
 * once. The owner has the highest level.
 */
export function grantAccess<R extends Row, P extends string, L extends string>(
  knex: Knex,
  things: Table<R>,
  grants: GrantTable<P, L>
) {
  const { levels } = grants
  const column = things.columns.includes('agentId') ? 'agentId' : 'id'
  const lowest = levels[0]
  const highest = levels.at(-1) as L
  const below = levels.at(-2) ?? lowest
  const rank = (level: L) => levels.indexOf(level)
  const suffices = (held: L, wanted: L) => rank(held) >= rank(wanted)
  const min = (one: L, other: L) => (suffices(one, other) ? other : one)
  const most = { whole: highest, belowHighest: below, lowest } as const

  const ownOf = (by: Asking, row: R): readonly L[] => {
    if (row.project !== by.project) return []
    return reaches(by, row, 'change') ? [highest] : reaches(by, row, 'read') ? [lowest] : []
  }

  /** Those of these rows that the principal reaches, each with what it may do with it. */
  async function withAccess(by: Asking, rows: readonly R[]): Promise<Reached<R, L>[]> {
    const subjects = subjectsOf(by)
    const within = rows.filter(
      (row) => row.project === by.project && isWithinAgents(by, row as { agentId?: string })
    )
    const ids = within.map(({ id }) => id)
    const given = await grants.ofSubjects(knex, by.project, subjects, ids)
    return within.flatMap((row) => {
      const held = given.flatMap((grant) => {
        const counted = subjects.find((it) => isSame(it, grant))
        return grant.granted === row.id && counted ? min(grant.level, most[counted.counts]) : []
      })
      const access = [...ownOf(by, row), ...held].sort((a, b) => rank(b) - rank(a))[0]
      return access ? [{ ...row, access }] : []
    })
  }

  /** The row, if the principal may do that with it; 404 or 403 otherwise, with `param` where its id stood in a request. */
  async function find(by: Asking, id: string, level: L, param?: string): Promise<Reached<R, L>> {
    const at = param === undefined ? {} : { param }
    const row = await things.find(knex, id)
    if (!row) throw notFound(things.what, at)
    const [found] = row.project === by.project ? await withAccess(by, [row]) : []
    const { project, owner } = row
    const details = { ...at, refused: { what: things.what, id, project, owner } }
    if (!found) throw forbidden(noAccess(things.what), { code: 'not_owner', ...details })
    if (suffices(found.access, level)) return found
    const what = things.what.toLowerCase()
    throw forbidden(`This request requires ${level} access to the ${what}`, {
      code: 'not_granted',
      ...details
    })
  }

  /** The row, if the principal may open it to others, which an agent never may. */
  async function toOpen(by: Asking, id: string): Promise<Reached<R, L>> {
    if (by.attenuation)
      throw forbidden('Tokens cannot share resources. Use an API key.', { code: 'token_refused' })
    const found = await find(by, id, by.type === 'agent' ? lowest : highest)
    if (by.type !== 'agent') return found
    throw forbidden('Agents cannot share resources', { code: 'agent_principal' })
  }

  return {
    lowest,
    highest,
    withAccess,
    find,
    toOpen,

    /** As a where clause: what the principal owns, what it was granted and does not own, or both. */
    where<Q extends Knex.QueryBuilder>(
      by: Principal,
      query: Q,
      which: 'own' | 'granted' | 'both' = 'both'
    ): Q {
      const { project, attenuation } = by
      if (attenuation?.agents) query.whereIn(column, attenuation.agents)
      const ids = grants.idsOf(knex, project, subjectsOf(by))
      if (which === 'own') return reach(by, query, column)
      query.where({ project })
      if (which === 'both') query.where((any) => void reach(by, any, column).orWhereIn('id', ids))
      else query.whereIn('id', ids).whereNot((own) => void reach(by, own, column))
      return query
    }
  }
}
