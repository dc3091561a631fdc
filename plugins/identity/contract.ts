interface Membership {
  memberId: string
  personId: string
  role: string
}

declare module 'agent-platform' {
  interface Facts {
    'identity.person_created': { id: string; email: string; name: string }
    'identity.passkey_added': { id: string; name: string }
    'identity.passkey_renamed': { id: string; name: string }
    'identity.passkey_removed': { id: string; name: string }
    'identity.person_disabled': { id: string }
    'identity.person_enabled': { id: string }
    'identity.person_invited': { id: string; email: string; role: string | null }
    'identity.invitation_withdrawn': { id: string }
    'identity.project_created': { id: string; name: string; environment: string }
    'identity.member_added': Membership
    'identity.member_changed': Membership
    'identity.member_removed': Membership
    /** Never the key itself. */
    'identity.key_created': { id: string; name: string; prefix: string; principalId: string }
    /** Together with what was made with it. */
    'identity.key_revoked': { ids: string[] }
  }
}

export type { Membership }
