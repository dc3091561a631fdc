import type { Kernel, Principal, Verb } from 'agent-platform'
import { forbidden, notFound, owned } from 'agent-platform'
import { items } from '../schemas.ts'
import type { GrantStore } from '../stores/grants.ts'
import type { ItemRow } from '../stores/items.ts'
import type { Level } from './schemas.ts'
import type { Asking } from './subjects.ts'
import { atMost, highest, subjectsOf, suffices } from './subjects.ts'

export type ItemAccess = ReturnType<typeof createItemAccess>
export type Reached = ItemRow & { readonly access: Level }

interface Deps extends Pick<Kernel, 'knex'> {
  grantStore: GrantStore
}

/** Who may do what with an item: asked of the record at each use, so that what is revoked ends at once. */
export function createItemAccess({ knex, grantStore }: Deps) {
  /** The items that the principal reaches, each with what it may do with it. */
  async function withAccess(by: Asking, rows: readonly ItemRow[]): Promise<Reached[]> {
    const subjects = subjectsOf(by)
    const ids = rows.map(({ id }) => id)
    const granted = subjects.length === 0 ? [] : await grantStore.listOfSubjects(by.project, subjects, ids)
    return rows.flatMap((row) => {
      const levels = granted
        .filter(({ itemId }) => itemId === row.id)
        .map(({ subjectType, subjectId, level }) => {
          const counted = subjects.find((it) => it.subjectType === subjectType && it.subjectId === subjectId)
          return atMost(level, counted?.most ?? 'read')
        })
      const access = highest([...ownAccess(by, row), ...levels])
      return access ? [{ ...row, access }] : []
    })
  }

  /** The item, if the principal may do that with it; 404 or 403 otherwise. */
  async function item(by: Asking, id: string, level: Level): Promise<Reached> {
    const row = await items.find(knex, id)
    if (!row) throw notFound(items.what)
    const [found] = row.project === by.project ? await withAccess(by, [row]) : []
    if (!found) throw forbidden('Library item belongs to someone else', { code: 'not_owner' })
    if (suffices(found.access, level)) return found
    throw forbidden(`That takes ${level} access to the library item`, { code: 'not_granted' })
  }

  /** The item, if the principal may open it to others: what a model reads must not change who may read what. */
  async function toOpen(by: Principal, id: string): Promise<Reached> {
    const found = await item(by, id, by.type === 'agent' ? 'read' : 'manage')
    if (by.type !== 'agent') return found
    throw forbidden('Grants and share links are not an agent’s to give or take', { code: 'agent_principal' })
  }

  return { withAccess, item, toOpen }
}

/** What a principal may do without a grant. */
function ownAccess(by: Asking, row: ItemRow): Level[] {
  const principal = { scopes: new Set<string>(), narrowed: false, credential: '', ...by }
  const may = (verb: Verb) => {
    try {
      return owned(principal, row, items.what, verb) === row
    } catch {
      return false
    }
  }
  if (may('change')) return ['manage']
  return may('read') ? ['read'] : []
}
