import type { Kernel } from 'agent-platform'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { errors, Provider } from 'oidc-provider'
import { WORDS } from '../pages/pages.ts'
import type { Settings } from '../settings.ts'
import type { Artifacts } from '../stores/artifacts.ts'
import type { MemberStore } from '../stores/members.ts'
import type { PersonStore } from '../stores/people.ts'
import type { Areas } from './areas.ts'
import { CLI_CLIENT, CONSOLE_CLIENT, clientsOf, isOwnClient } from './clients.ts'
import { deviceSources, showError, withoutSession } from './device-pages.ts'
import { MANAGING } from './people.ts'
import type { KeySet, SigningKeys } from './signing-keys.ts'

export type IdentityProvider = ReturnType<typeof createIdentityProvider>

interface Deps extends Pick<Kernel, 'platform' | 'projects' | 'log'> {
  settings: Settings
  areas: Areas
  artifacts: Artifacts
  signingKeys: SigningKeys
  personStore: PersonStore
  memberStore: MemberStore
}

const OWN = new Set(['openid', 'offline_access', 'email', 'profile'])
/** What a token of the platform may be good for. */
const PLATFORM_SCOPES = Object.keys(WORDS).filter((scope) => !OWN.has(scope))
const DAY = 24 * 3_600
/** So many characters without vowels, of which no words come. */
const DEVICE_CODES = { charset: 'base-20', mask: '****-****' } as const

/** The OpenID provider, with the keys as they are now. Below `/identity` of the platform's own address. */
export function createIdentityProvider(deps: Deps) {
  const { platform, projects, log, settings, areas, artifacts, signingKeys, personStore, memberStore } = deps
  const { baseUrl } = platform
  const issuer = `${baseUrl}/identity`
  const path = new URL(issuer).pathname
  const clients = clientsOf(settings.clients, baseUrl)
  let latest: { readonly keys: KeySet; readonly provider: Provider } | undefined

  /**
   * In which project a token is good: the one that was chosen when the grant was given. The platform's own clients may ask for
   * another; an application may not, since the person let it into that one alone.
   */
  async function projectOf(
    ctx: KoaContextWithOIDC,
    { grantId, clientId }: { readonly grantId?: string | undefined; readonly clientId?: string | undefined },
    person: string
  ) {
    const asked = (ctx.oidc.body as { project_id?: unknown } | undefined)?.project_id
    const chosen = grantId === undefined ? undefined : await artifacts.findProject(grantId)
    if (!isOwnClient(clientId) && asked !== undefined && asked !== chosen)
      throw new errors.InvalidTarget('not the project that was chosen')
    const project = asked ?? chosen
    const member = typeof project === 'string' ? await memberStore.findOf(project, person) : undefined
    if (!member) throw new errors.InvalidGrant('not a member of the project')
    return member.project
  }

  /**
   * What the project holds of what was granted, and the operator's right where the person still has it. An application is asked for
   * what goes by ownership, too.
   */
  async function held(scope: string, project: string, person: string, isOwn: boolean): Promise<string> {
    const [found, who] = await Promise.all([projects.find(project), personStore.find(person)])
    const may = new Set([...(found?.scopes ?? []), ...(isOwn ? [] : areas.scopes())])
    if (who?.isOperator) may.add('platform:admin')
    return scope
      .split(' ')
      .filter((one) => may.has(one))
      .join(' ')
  }

  const configuration = ({ privateKeys, secrets }: KeySet): Configuration => ({
    adapter: artifacts.adapterOf,
    clients: clients as never,
    jwks: { keys: privateKeys as never },
    cookies: {
      keys: [...secrets],
      names: { session: 'identity_session', interaction: 'identity_interaction', resume: 'identity_resume' },
      long: { httpOnly: true, sameSite: 'lax', signed: true, path },
      short: { httpOnly: true, sameSite: 'lax', signed: true }
    },
    claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
    scopes: ['openid', 'offline_access', 'email', 'profile'],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256', token_endpoint_auth_method: 'none' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    // A page of an application exchanges its code itself.
    clientBasedCORS: (_ctx, origin, { redirectUris = [] }) =>
      redirectUris.some((uri) => URL.parse(uri)?.origin === origin),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client, code) =>
      client.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
    ttl: {
      AccessToken: settings.accessTokenSeconds,
      AuthorizationCode: 60,
      DeviceCode: 600,
      IdToken: 600,
      Interaction: 3_600,
      Session: settings.sessionHours * 3_600,
      RefreshToken: settings.refreshDays * DAY,
      Grant: settings.refreshDays * DAY
    },
    routes: {
      authorization: '/authorize',
      token: '/token',
      jwks: '/jwks',
      revocation: '/revoke',
      device_authorization: '/device-authorization',
      code_verification: '/device'
    },
    interactions: { url: (_ctx, { uid }) => `${path}/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      // Neither is offered: no route accepts pushed requests, and no proof of a key is checked when a token is used.
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId
      },
      deviceFlow: { enabled: true, ...DEVICE_CODES, ...deviceSources },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => baseUrl,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource, client) {
          if (resource !== baseUrl) throw new errors.InvalidTarget()
          return {
            audience: baseUrl,
            scope: [...PLATFORM_SCOPES, ...(isOwnClient(client.clientId) ? [] : areas.scopes())].join(' '),
            accessTokenTTL: settings.accessTokenSeconds,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } }
          }
        }
      }
    },
    /** What was agreed to before, unless the person has left the project for which it was, or was no operator yet. */
    async loadExistingGrant({ oidc }) {
      const { session, client, result, provider, account } = oidc
      const id = result?.consent?.grantId ?? (client && session?.grantIdFor(client.clientId))
      if (id === undefined || !account) return undefined
      const project = await artifacts.findProject(id)
      const isMember = project !== undefined && (await memberStore.findOf(project, account.accountId))
      const grant = isMember ? await provider.Grant.find(id) : undefined
      if (!grant?.getRejectedResourceScope(baseUrl)) return grant
      return (await personStore.find(account.accountId))?.isOperator ? undefined : grant
    },
    async findAccount(_ctx, id) {
      const person = await personStore.find(id)
      if (!person || person.disabledAt !== null) return undefined
      const { email, name } = person
      return { accountId: id, claims: () => ({ sub: id, email, name }) }
    },
    async extraTokenClaims(ctx, token) {
      if (!('accountId' in token)) return undefined
      const project = await projectOf(ctx, token, token.accountId)
      const { sessionUid: sid, clientId } = token
      const { RotatedRefreshToken, RefreshToken, AuthorizationCode, DeviceCode } = ctx.oidc.entities
      const source = RotatedRefreshToken ?? RefreshToken ?? AuthorizationCode ?? DeviceCode
      return {
        // RFC 9068: refreshing proves nothing anew.
        ...(source?.authTime !== undefined && { auth_time: source.authTime }),
        principal_type: 'user',
        project_id: project,
        // Ownership decides about people; about an application what they agreed to.
        ...(!isOwnClient(clientId) && { narrowed: true }),
        // The console ends the session of the browser when the person signs out there; no other client learns of it.
        ...(clientId === CONSOLE_CLIENT && { sid })
      }
    },
    formats: {
      customizers: {
        async jwt(_ctx, { clientId }, { payload }) {
          const { sub = '', project_id: project, scope = '' } = payload as Record<string, string>
          const may = await held(scope, String(project), sub, isOwnClient(clientId))
          payload.scope = clientId === CLI_CLIENT ? `${may} ${MANAGING}`.trim() : may
        }
      }
    },
    renderError: showError
  })

  function build(keys: KeySet): Provider {
    const provider = new Provider(issuer, configuration(keys))
    // Its address is the one of `BASE_URL`, whatever a request says.
    provider.proxy = true
    provider.use(withoutSession)
    const failed = (err: Error) => log.error({ err }, 'The identity provider failed')
    provider.on('server_error', (_ctx, err) => failed(err))
    // Koa's own, which its types leave out.
    ;(provider as NodeJS.EventEmitter).on('error', failed)
    return provider
  }

  return {
    issuer,
    /** The path of the issuer. */
    path,
    scopes: PLATFORM_SCOPES,
    keys: async () => (await signingKeys.current()).publicKeys,
    async current(): Promise<Provider> {
      const keys = await signingKeys.current()
      if (latest?.keys !== keys) latest = { keys, provider: build(keys) }
      return latest.provider
    }
  }
}
