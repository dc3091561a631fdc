/** What a connection may be allowed to do, in the words of the provider and in plain ones. */
export interface Scope {
  readonly name: string
  readonly description: string
  /** Asked for where a caller names none. */
  readonly isDefault: boolean
}

/** Where a provider says whose token it is; pointers are tried in their order. */
export interface AccountQuestion {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** What people call the account. */
  readonly label: readonly string[]
  /** What tells it from others for good. */
  readonly id: readonly string[]
}

/** How a provider is told that a token is over: by RFC 7009, or in a way of its own. */
export interface Revocation {
  readonly url: string
  readonly style: 'rfc7009' | 'json' | 'bearer' | 'github' | 'hubspot'
}

/** A service in which agents may act with somebody's consent. Nothing about it is code. */
export interface Provider {
  readonly key: string
  readonly name: string
  readonly icon: string
  readonly authorizationUrl: string
  readonly tokenUrl: string
  /** Who it says it is (RFC 9207); left out where it says nothing. */
  readonly issuer?: string
  /** It says so always: a reply without it is not its own. */
  readonly sendsIssuer?: boolean
  readonly scopes: readonly Scope[]
  /** Where its tokens may be sent: names, or `*.` and a name, by https. */
  readonly hosts: readonly string[]
  /** How the platform proves that it is the client. */
  readonly auth: 'basic' | 'post' | 'none'
  readonly account?: AccountQuestion
  readonly revocation?: Revocation
  /** More that is sent when somebody is asked, and with each token request. */
  readonly params?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Name of the parameter that holds the scopes, and what stands between them. */
  readonly scopeParam?: string
  readonly scopeSeparator?: string
  /** Token requests are JSON. */
  readonly jsonRequests?: boolean
  /** The part of a token reply that is meant. */
  readonly tokensAt?: string
  /** Its error codes, by those of RFC 6749. */
  readonly errors?: Readonly<Record<string, string>>
}

/** A letter or two on a ground: no provider's own sign. */
export const icon = (letters: string, ground: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${ground}"/><text x="16" y="21.5" font-family="sans-serif" font-size="${letters.length > 1 ? 14 : 17}" font-weight="600" text-anchor="middle" fill="#fff">${letters}</text></svg>`

/** Asked for unless a caller says otherwise. */
export const usual = (name: string, description: string): Scope => ({ name, description, isDefault: true })
export const further = (name: string, description: string): Scope => ({ name, description, isDefault: false })
