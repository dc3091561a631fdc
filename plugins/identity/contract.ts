interface Membership {
  memberId: string
  personId: string
  role: string
}

declare module 'agent-platform' {
  interface Points {
    /** Providers elsewhere by which people sign in, beside those of the setting. */
    'identity.upstream': Upstream
  }
  interface Facts {
    'identity.person_created': { id: string; email: string; name: string }
    'identity.account_linked': { id: string; personId: string; issuer: string }
    /** By the person, or by an operator. */
    'identity.account_unlinked': { id: string; personId: string; issuer: string }
    'identity.address_released': { id: string }
    /** By the person, `byReset` with a link that an operator made. */
    'identity.password_changed': { id: string; byReset: boolean }
    /** A link by which that person sets a new password. */
    'identity.password_reset_created': { id: string; personId: string }
    'identity.password_reset_withdrawn': { id: string; personId: string }
    /** The person ended them, or changed its password. */
    'identity.sessions_ended': { ids: string[] }
    'identity.passkey_added': { id: string; name: string }
    'identity.passkey_renamed': { id: string; name: string }
    'identity.passkey_removed': { id: string; name: string }
    'identity.person_disabled': { id: string }
    'identity.person_enabled': { id: string }
    'identity.person_invited': { id: string; email: string; role: string | null }
    'identity.invitation_withdrawn': { id: string }
    'identity.project_created': { id: string; name: string; environment: string }
    'identity.project_renamed': { id: string; name: string }
    /** Nobody may do anything in it any more, also they for whom a service acted: what goes on there ends. */
    'identity.project_deleted': { id: string }
    /** In the project of the fact that principal may do nothing any more: what goes on for it ends. */
    'identity.access_ended': { principalId: string }
    'identity.member_added': Membership
    'identity.member_changed': Membership
    'identity.member_removed': Membership
    /** Never the key itself. */
    'identity.key_created': { id: string; name: string; prefix: string; principalId: string }
    /** Together with what was made with it. */
    'identity.key_revoked': { ids: string[] }
  }
}

/** A provider elsewhere that knows who people are. */
export interface Upstream {
  /** Stands in its callback `<BASE_URL>/identity/upstream/<key>/callback`. */
  readonly key: string
  readonly name: string
  /** Where the browser is to go. */
  begin(attempt: UpstreamAttempt): Promise<string>
  /** Who came back with these parameters. Throws for everything that is not the end of that very attempt. */
  finish(attempt: UpstreamAttempt, returned: URLSearchParams): Promise<UpstreamAccount>
}

/** `secret` is of this attempt, and known to its browser alone. */
export interface UpstreamAttempt {
  /** The person is to be asked there who it is, also where that is known. */
  readonly isFresh?: boolean | undefined
  readonly secret: string
  readonly redirectUri: string
}

export interface UpstreamAccount {
  readonly issuer: string
  /** Of one account there, for ever. */
  readonly subject: string
  /** In small letters; undefined where the provider does not say that it is this account's now. */
  readonly email: string | undefined
  readonly name: string | undefined
  /** Comes in without an invitation. */
  readonly isWelcome: boolean
  /** When it proved there who it is; undefined where the provider does not say. */
  readonly authenticatedAt?: Date | undefined
}

export type { Membership }
