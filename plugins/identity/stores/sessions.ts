import type { Kernel, Paging, Trx } from 'agent-platform'
import { newId, paginate } from 'agent-platform'
import { HOME } from '../home.ts'

/** Where a person is signed in. */
export interface SessionRow {
  readonly id: string
  /** The person. */
  readonly owner: string
  /** In the console, or a program that the person let in. */
  readonly kind: 'browser' | 'program'
  /** What the browser says to be. */
  readonly name: string | null
  /** Of a browser: its credential, and its session at the provider. */
  readonly credential: string | null
  readonly browser: string | null
  /** Of a program, and in which project it works. */
  readonly grantId: string | null
  readonly client: string | null
  readonly chosen: string | null
  /** When the person last proved who it is; null where that is not known. */
  readonly authenticatedAt: string | null
  /** When a program last got new tokens. */
  readonly renewedAt: string | null
  readonly expiresAt: string
  readonly createdAt: string
}
export type SessionStore = ReturnType<typeof createSessionStore>

export function createSessionStore({ knex }: Pick<Kernel, 'knex'>) {
  const sessions = (on: Kernel['knex'] | Trx = knex) => on('identity.session').where({ project: HOME })
  const open = () => sessions().where('expiresAt', '>', new Date())
  return {
    find: (id: string): Promise<SessionRow | undefined> => open().where({ id }).first(),
    /** Of the browser that is signed in by that. */
    findByCredential: (credential: string): Promise<SessionRow | undefined> =>
      open().where({ credential }).first(),
    list: (owner: string, page: Paging) => paginate<SessionRow>(open().where({ owner }), page, 'session'),

    async insertBrowser(
      row: Readonly<Record<'owner' | 'credential' | 'browser', string>> & {
        readonly name: string | null
        readonly authenticatedAt: Date
        readonly expiresAt: Date
      }
    ): Promise<void> {
      await knex('identity.session').insert({ ...row, kind: 'browser', id: newId('session'), project: HOME })
    },
    /** A program is let in, again or into another project. */
    async rememberProgram(
      row: Readonly<Record<'owner' | 'grantId' | 'client' | 'chosen', string>> & { readonly expiresAt: Date }
    ): Promise<void> {
      const { chosen, expiresAt } = row
      await knex('identity.session')
        .insert({ ...row, kind: 'program', id: newId('session'), project: HOME })
        .onConflict(['project', 'grantId'])
        .merge({ chosen, expiresAt })
    },
    updateConfirmed: (id: string, authenticatedAt: Date): Promise<number> =>
      sessions().where({ id }).update({ authenticatedAt }),

    /** False where it is gone. */
    remove: async (id: string): Promise<boolean> => (await sessions().where({ id }).delete()) > 0,
    /** All of a person, but for one; those that were removed. */
    removeOf: (owner: string, except = '', on?: Trx): Promise<SessionRow[]> =>
      sessions(on).where({ owner }).whereNot({ id: except }).delete().returning('*'),
    /** Those of one browser. */
    takeOfBrowser: (browser: string): Promise<SessionRow[]> =>
      sessions().where({ browser }).delete().returning('*'),
    removeExpired: (): Promise<number> => sessions().where('expiresAt', '<', new Date()).delete()
  }
}
