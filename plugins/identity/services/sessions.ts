import type { Kernel, Paging, Principal } from 'agent-platform'
import { forbidden, notFound, typeOfId } from 'agent-platform'
import { HOME } from '../home.ts'
import type { Artifacts } from '../stores/artifacts.ts'
import type { SessionRow, SessionStore } from '../stores/sessions.ts'
import type { People } from './people.ts'
import { principalOf } from './people.ts'
import type { IdentityProvider } from './provider.ts'

export type Sessions = ReturnType<typeof createSessions>

interface Deps extends Pick<Kernel, 'credentials' | 'transaction' | 'facts'> {
  people: People
  identityProvider: IdentityProvider
  sessionStore: SessionStore
  artifacts: Artifacts
}

/** Where a person is signed in: browsers, and programs that it let in. */
export function createSessions(deps: Deps) {
  const { credentials, transaction, facts, people, identityProvider, sessionStore, artifacts } = deps

  /** A browser is out at once; a program gets no new tokens, and the last it got is good until it expires. */
  async function close({ credential, browser, grantId }: SessionRow): Promise<void> {
    if (credential !== null) await credentials.revoke(credential)
    if (browser !== null) await artifacts.removeBrowser(browser)
    if (grantId !== null) await artifacts.removeOfGrant(grantId)
  }

  const tell = (owner: string, ids: readonly string[]) =>
    transaction((trx) =>
      facts.record(trx, 'identity.sessions_ended', principalOf({ id: owner }, HOME), {
        subject: owner,
        owner,
        data: { ids: [...ids] }
      })
    )

  /** All that the person has, but for one; how many of its sessions ended. */
  async function endOthers(owner: string, kept: Pick<SessionRow, 'id' | 'browser'>): Promise<number> {
    const ended = await sessionStore.removeOf(owner, kept.id)
    for (const session of ended) await close(session)
    await artifacts.removeOf(owner, kept.browser ?? undefined)
    if (ended.length > 0)
      await tell(
        owner,
        ended.map(({ id }) => id)
      )
    return ended.length
  }

  return {
    endOthers,

    /** A browser is signed in to the console by that credential, because of its session at the provider. What it had before ends. */
    async begin({
      credential,
      browser,
      userAgent,
      ...row
    }: Readonly<Record<'owner' | 'credential' | 'browser', string>> & {
      readonly userAgent: string | undefined
      readonly authenticatedAt: Date
      readonly expiresAt: Date
    }): Promise<void> {
      for (const before of await sessionStore.takeOfBrowser(browser))
        if (before.credential !== null) await credentials.revoke(before.credential)
      await sessionStore.insertBrowser({ ...row, credential, browser, name: nameOf(userAgent) })
    },

    /** The person signed out there: the browser is asked again who it is, also by other applications. */
    async endOf(credential: string): Promise<void> {
      const session = await sessionStore.findByCredential(credential)
      if (!session || !(await sessionStore.remove(session.id))) return
      await close(session)
    },

    async list(by: Principal, page: Paging) {
      const person = await people.inBrowser(by)
      const [{ data, nextCursor }, provider] = await Promise.all([
        sessionStore.list(person.id, page),
        identityProvider.current()
      ])
      const shown = data.map(async (row) => ({
        id: row.id,
        kind: row.kind,
        name:
          row.client === null
            ? row.name
            : ((await provider.Client.find(row.client))?.clientName ?? row.client),
        projectId: row.chosen,
        isCurrent: row.credential === by.credential,
        authenticatedAt: row.authenticatedAt,
        renewedAt: row.renewedAt,
        expiresAt: row.expiresAt,
        createdAt: row.createdAt
      }))
      return { data: await Promise.all(shown), nextCursor }
    },

    /** 404 where it has ended, 403 where it is another person's. */
    async end(by: Principal, id: string): Promise<{ id: string; deleted: true }> {
      const person = await people.inBrowser(by)
      const session = typeOfId(id) === 'session' ? await sessionStore.find(id) : undefined
      if (!session) throw notFound('Session')
      if (session.owner !== person.id)
        throw forbidden('You do not have access to this session', { code: 'not_owner' })
      if (!(await sessionStore.remove(id))) throw notFound('Session')
      await close(session)
      await tell(person.id, [id])
      return { id, deleted: true }
    },

    /** Everywhere but here; how many ended. */
    async endAllOthers(by: Principal): Promise<{ ended: number }> {
      const { person, session } = await people.sessionOf(by)
      return { ended: await endOthers(person.id, session) }
    }
  }
}

const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari']
] as const
const SYSTEMS = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux']
] as const

/** What a browser says to be, in words that a person knows it by; null for what is unknown. */
function nameOf(userAgent = ''): string | null {
  const find = (known: readonly (readonly [RegExp, string])[]) =>
    known.find(([form]) => form.test(userAgent))?.[1]
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)]
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? null)
}
