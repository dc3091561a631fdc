import type { Kernel, Reply, Request } from 'agent-platform'
import { forbidden } from 'agent-platform'
import type { Provider } from 'oidc-provider'
import { errors } from 'oidc-provider'
import type { PageReply } from './pages/html.ts'
import { consentPage, messagePage, signInPage } from './pages/pages.ts'
import type { Areas } from './services/areas.ts'
import { CONSOLE_CLIENT } from './services/clients.ts'
import type { Passkeys } from './services/passkeys.ts'
import type { People } from './services/people.ts'
import type { ProjectService } from './services/projects.ts'
import type { IdentityProvider } from './services/provider.ts'
import type { UpstreamSignIn } from './services/upstream-sign-in.ts'
import type { Settings } from './settings.ts'
import type { Artifacts } from './stores/artifacts.ts'
import type { PersonRow, PersonStore } from './stores/people.ts'
import type { SessionStore } from './stores/sessions.ts'
import { isFor, OPERATORS, targetOf, wantedIn } from './wanted.ts'

export type Interactions = ReturnType<typeof createInteractions>

interface Deps extends Pick<Kernel, 'limits'> {
  settings: Settings
  identityProvider: IdentityProvider
  areas: Areas
  people: People
  passkeys: Passkeys
  upstreamSignIn: UpstreamSignIn
  personStore: PersonStore
  projectService: ProjectService
  sessionStore: SessionStore
  artifacts: Artifacts
}
type Exchange = Pick<Request, 'raw'> & { readonly reply: Pick<Reply, 'raw'> }
/** A page to show, or where to go on. */
export type Step = (PageReply & { readonly status?: number }) | { readonly location: string }
type Details = Awaited<ReturnType<Provider['interactionDetails']>>

/** What a person is asked on the way to an application: who it is, and whether the application may. */
export function createInteractions(deps: Deps) {
  const { limits, settings, identityProvider, areas, people, passkeys, upstreamSignIn } = deps
  const { personStore, projectService, sessionStore, artifacts } = deps

  /** What this browser has begun; a page that says so where it has begun nothing, or long ago. */
  async function begun<T>(
    { raw, reply }: Exchange,
    work: (provider: Provider, details: Details) => Promise<T>
  ) {
    const provider = await identityProvider.current()
    try {
      return await work(provider, await provider.interactionDetails(raw, reply.raw))
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) throw error
      return { ...messagePage('That took too long', 'Begin once more where you came from.'), status: 400 }
    }
  }

  async function about(provider: Provider, { uid, params, prompt }: Details) {
    const client = await provider.Client.find(String(params.client_id))
    const { redirect_uri: target } = params
    return {
      action: `${identityProvider.path}/interaction/${uid}`,
      client: client?.clientName ?? String(params.client_id),
      ...targetOf(target),
      wanted: wantedIn(prompt.details)
    }
  }

  async function signInStep(
    provider: Provider,
    details: Details,
    more: { fault?: string; email?: string } = {}
  ) {
    const { action, client, formTarget } = await about(provider, details)
    const passkey = await passkeys.challenge(details.uid)
    return signInPage({ action, client, formTarget, passkey, upstream: upstreamSignIn.list(), ...more })
  }

  async function allow(
    provider: Provider,
    exchange: Exchange,
    { params, prompt, grantId }: Details,
    person: PersonRow,
    project: string
  ): Promise<Step> {
    const known = grantId === undefined ? undefined : await provider.Grant.find(grantId)
    const grant = known ?? new provider.Grant({ accountId: person.id, clientId: String(params.client_id) })
    const { own, claims, resources } = wantedIn(prompt.details)
    if (own.length > 0) grant.addOIDCScope(own.join(' '))
    if (claims.length > 0) grant.addOIDCClaims([...claims])
    for (const [resource, scopes] of resources) {
      const granted = scopes.filter(isFor(person))
      if (granted.length > 0) grant.addResourceScope(resource, granted.join(' '))
      // It was not asked about: who becomes an operator later has not agreed to it.
      if (granted.length < scopes.length) grant.rejectResourceScope(resource, OPERATORS)
    }
    const id = await grant.save()
    await artifacts.chooseProject(id, person.id, project)
    const client = String(params.client_id)
    const expiresAt = new Date(Date.now() + settings.refreshDays * DAY_MS)
    // A browser in the console is one by the session that it gets.
    if (client !== CONSOLE_CLIENT)
      await sessionStore.rememberProgram({
        owner: person.id,
        grantId: id,
        client,
        chosen: project,
        expiresAt
      })
    return { location: await finish(provider, exchange, { consent: { grantId: id } }) }
  }

  return {
    show: (exchange: Exchange): Promise<Step> =>
      begun(exchange, async (provider, details): Promise<Step> => {
        const { prompt, session } = details
        if (prompt.name === 'login') return signInStep(provider, details)
        const person = session && (await personStore.find(session.accountId))
        if (!person) return signInStep(provider, details)
        const { action, client, formTarget, host, wanted } = await about(provider, details)
        const projects = await projectService.available(person)
        const [only] = projects
        // The console is the platform itself: only in which project the person works is to be known.
        const isOwn = details.params.client_id === CONSOLE_CLIENT
        if (isOwn && only && projects.length === 1) return allow(provider, exchange, details, person, only.id)
        const scopes = areas.words(wanted.all.filter(isFor(person)))
        const asked = { action, client, formTarget, host, scopes, projects, isOwn }
        return consentPage({ ...asked, name: person.name })
      }),

    /** 429 for an address, or for an account, at which too much was tried. */
    signIn: (exchange: Exchange, ip: string, email: string, password: string): Promise<Step> =>
      begun(exchange, async (provider, details): Promise<Step> => {
        await limits.count('sign-ins', ip, settings.signInsPerMinute)
        const person = await people.byPassword(email, password)
        if (!person) {
          const fault = 'The address or the password is wrong.'
          return { ...(await signInStep(provider, details, { fault, email })), status: 401 }
        }
        return {
          location: await finish(provider, exchange, { login: { accountId: person.id, amr: ['pwd'] } })
        }
      }),

    /** By what a device proves; 429 likewise. */
    signInByPasskey: (exchange: Exchange, ip: string, response: string): Promise<Step> =>
      begun(exchange, async (provider, details): Promise<Step> => {
        await limits.count('sign-ins', ip, settings.signInsPerMinute)
        const person = await passkeys.signIn(details.uid, response)
        if (!person) {
          const fault = 'That passkey is not known here, or it took too long.'
          return { ...(await signInStep(provider, details, { fault })), status: 401 }
        }
        return {
          location: await finish(provider, exchange, {
            login: { accountId: person.id, amr: ['pop', 'user'] }
          })
        }
      }),

    /** By a provider elsewhere: where the browser goes. */
    beginUpstream: (exchange: Exchange, key: string, secret: string): Promise<Step> =>
      begun(exchange, async (provider, details): Promise<Step> => {
        const isLogin = details.prompt.name === 'login'
        const location = isLogin ? await upstreamSignIn.begin(key, secret, isFresh(details)) : undefined
        if (location !== undefined) return { location }
        const fault = 'That way to sign in cannot be reached. Try another, or once more later.'
        return { ...(await signInStep(provider, details, { fault })), status: 503 }
      }),

    /** The browser came back; 429 likewise. */
    finishUpstream: (
      exchange: Exchange,
      ip: string,
      { key, secret, returned }: { key: string; secret: string | undefined; returned: URLSearchParams }
    ): Promise<Step> =>
      begun(exchange, async (provider, details): Promise<Step> => {
        await limits.count('sign-ins', ip, settings.signInsPerMinute)
        const found =
          secret !== undefined && (await upstreamSignIn.finish(key, secret, returned, isFresh(details)))
        if (!found) {
          const fault =
            'That did not sign you in. An operator or an owner of a project has to invite you first.'
          return { ...(await signInStep(provider, details, { fault })), status: 401 }
        }
        const { person, since } = found
        // Who is known there has proved nothing now; no clock but ours makes it later.
        const ts = since && since <= new Date() && { ts: Math.floor(+since / 1_000) }
        return {
          location: await finish(provider, exchange, { login: { accountId: person.id, amr: ['fed'], ...ts } })
        }
      }),

    consent: (exchange: Exchange, decision: string, project: string): Promise<Step> =>
      begun(exchange, async (provider, details): Promise<Step> => {
        if (decision !== 'allow') {
          const refused = { error: 'access_denied', error_description: 'The person refused' }
          return { location: await finish(provider, exchange, refused) }
        }
        const { session, prompt } = details
        const person = session && (await personStore.find(session.accountId))
        if (!person || prompt.name !== 'consent') throw forbidden('There is nothing to decide')
        const projects = await projectService.available(person)
        const chosen = projects.find(({ id }) => id === project)
        if (!chosen) throw forbidden('You do not have access to this project', { code: 'not_owner' })
        return allow(provider, exchange, details, person, chosen.id)
      })
  }
}

const finish = (provider: Provider, { raw, reply }: Exchange, result: object): Promise<string> =>
  provider.interactionResult(raw, reply.raw, result as never, {
    mergeWithLastSubmission: !('login' in result)
  })

const isFresh = ({ prompt: { reasons } }: Details): boolean =>
  reasons.some((reason) => reason === 'login_prompt' || reason === 'max_age')

const DAY_MS = 24 * 3_600_000
