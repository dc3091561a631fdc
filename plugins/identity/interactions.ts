import type { Kernel, Reply, Request } from 'agent-platform'
import { forbidden } from 'agent-platform'
import type { Provider } from 'oidc-provider'
import { errors } from 'oidc-provider'
import type { PageReply } from './pages/html.ts'
import { consentPage, messagePage, signInPage } from './pages/pages.ts'
import { CONSOLE_CLIENT } from './services/clients.ts'
import type { Passkeys } from './services/passkeys.ts'
import type { People } from './services/people.ts'
import type { ProjectService } from './services/projects.ts'
import type { IdentityProvider } from './services/provider.ts'
import type { UpstreamSignIn } from './services/upstream-sign-in.ts'
import type { Settings } from './settings.ts'
import type { Artifacts } from './stores/artifacts.ts'
import type { PersonRow, PersonStore } from './stores/people.ts'

export type Interactions = ReturnType<typeof createInteractions>

interface Deps extends Pick<Kernel, 'limits'> {
  settings: Settings
  identityProvider: IdentityProvider
  people: People
  passkeys: Passkeys
  upstreamSignIn: UpstreamSignIn
  personStore: PersonStore
  projectService: ProjectService
  artifacts: Artifacts
}
type Exchange = Pick<Request, 'raw'> & { readonly reply: Pick<Reply, 'raw'> }
/** A page to show, or where to go on. */
export type Step = (PageReply & { readonly status?: number }) | { readonly location: string }
type Details = Awaited<ReturnType<Provider['interactionDetails']>>

/** What a person is asked on the way to an application: who it is, and whether the application may. */
export function createInteractions(deps: Deps) {
  const { limits, settings, identityProvider, people, passkeys, upstreamSignIn } = deps
  const { personStore, projectService, artifacts } = deps

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
      formTarget: typeof target === 'string' ? targetOf(target) : undefined,
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
    return { location: await finish(provider, exchange, { consent: { grantId: id } }) }
  }

  return {
    show: (exchange: Exchange): Promise<Step> =>
      begun(exchange, async (provider, details): Promise<Step> => {
        const { prompt, session } = details
        if (prompt.name === 'login') return signInStep(provider, details)
        const person = session && (await personStore.find(session.accountId))
        if (!person) return signInStep(provider, details)
        const { action, client, formTarget, wanted } = await about(provider, details)
        const projects = await projectService.available(person)
        const [only] = projects
        // The console is the platform itself: only in which project the person works is to be known.
        const isOwn = details.params.client_id === CONSOLE_CLIENT
        if (isOwn && only && projects.length === 1) return allow(provider, exchange, details, person, only.id)
        const scopes = wanted.all.filter(isFor(person))
        return consentPage({ action, client, formTarget, scopes, projects, name: person.name, isOwn })
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
        const location = details.prompt.name === 'login' ? await upstreamSignIn.begin(key, secret) : undefined
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
        const person = secret === undefined ? undefined : await upstreamSignIn.finish(key, secret, returned)
        if (!person) {
          const fault =
            'That did not sign you in. An operator or an owner of a project has to invite you first.'
          return { ...(await signInStep(provider, details, { fault })), status: 401 }
        }
        return {
          location: await finish(provider, exchange, { login: { accountId: person.id, amr: ['fed'] } })
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
        if (!chosen) throw forbidden('Project belongs to someone else', { code: 'not_owner' })
        return allow(provider, exchange, details, person, chosen.id)
      })
  }
}

const finish = (provider: Provider, { raw, reply }: Exchange, result: object): Promise<string> =>
  provider.interactionResult(raw, reply.raw, result as never, {
    mergeWithLastSubmission: !('login' in result)
  })

const OPERATORS = 'platform:admin'
const isFor =
  ({ isOperator }: PersonRow) =>
  (scope: string): boolean =>
    isOperator || scope !== OPERATORS

/** What was not granted before. */
function wantedIn(details: Readonly<Record<string, unknown>>) {
  const listOf = (value: unknown): readonly string[] =>
    value instanceof Set || Array.isArray(value) ? [...value].map(String) : []
  const own = listOf(details.missingOIDCScope)
  const resources = Object.entries((details.missingResourceScopes ?? {}) as Record<string, unknown>).map(
    ([resource, scopes]) => [resource, listOf(scopes)] as const
  )
  const all = [...own, ...resources.flatMap(([, scopes]) => scopes)]
  return { own, claims: listOf(details.missingOIDCClaims), resources, all }
}

/** Where a form may lead on to: browsers hold redirections to it as well. */
function targetOf(uri: string): string | undefined {
  const { protocol, origin } = URL.parse(uri) ?? {}
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol
}
