/** An application to which people sign in. None has a secret: all of them prove by PKCE that they began what they finish. */
export interface Client {
  readonly client_id: string
  readonly client_name: string
  readonly redirect_uris: readonly string[]
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
  readonly application_type?: 'native' | 'web'
  /** Its tokens say when the person proved who it is. */
  readonly require_auth_time?: boolean
}

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
export const CLI_CLIENT = 'platform-cli'
export const CONSOLE_CLIENT = 'console'
/** What the platform itself is; others are applications, which get what was agreed to on the consent page and no more. */
export const isOwnClient = (id: unknown): boolean => id === CLI_CLIENT || id === CONSOLE_CLIENT
/** The key of its method to sign in. */
export const SIGN_IN_METHOD = 'identity'
export const consoleCallback = (baseUrl: string): string =>
  `${baseUrl}/console/sign-in/${SIGN_IN_METHOD}/callback`

/** The platform's own, and those of the setting. Throws, naming the setting, for one that is none. */
export function clientsOf(setting: string, baseUrl: string): readonly Client[] {
  const own: readonly Client[] = [
    {
      client_id: CLI_CLIENT,
      client_name: 'Command line',
      redirect_uris: [],
      grant_types: [DEVICE, 'refresh_token'],
      response_types: [],
      application_type: 'native'
    },
    {
      client_id: CONSOLE_CLIENT,
      client_name: 'Console',
      redirect_uris: [consoleCallback(baseUrl)],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      require_auth_time: true
    }
  ]
  return [...own, ...givenIn(setting)]
}

function givenIn(setting: string): readonly Client[] {
  let given: unknown
  try {
    given = JSON.parse(setting)
  } catch {
    throw new Error('clients must be JSON')
  }
  if (!Array.isArray(given)) throw new Error('clients must be a list')
  return given.map((one) => {
    const { clientId, name, redirectUris } = one ?? {}
    const isClient = typeof clientId === 'string' && typeof name === 'string' && Array.isArray(redirectUris)
    if (!isClient) throw new Error('each of clients has a clientId, a name and redirectUris')
    const isNative = redirectUris.every((uri) =>
      /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)[:/]/.test(String(uri))
    )
    return {
      client_id: clientId,
      client_name: name,
      redirect_uris: redirectUris.map(String),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...(isNative && { application_type: 'native' as const })
    }
  })
}
