import type { Static } from 'typebox'
import { Type } from 'typebox'

export const settings = Type.Object({
  accessTokenSeconds: Type.Integer({
    env: 'IDENTITY_ACCESS_TOKEN_SECONDS',
    minimum: 30,
    maximum: 3_600,
    default: 600,
    description: 'How long an access token is good'
  }),
  refreshDays: Type.Integer({
    env: 'IDENTITY_REFRESH_DAYS',
    minimum: 1,
    maximum: 365,
    default: 30,
    description: 'After so many days without a refresh a program has to sign in again'
  }),
  sessionHours: Type.Integer({
    env: 'IDENTITY_SESSION_HOURS',
    minimum: 1,
    maximum: 720,
    default: 24,
    description: 'How long a browser is not asked again who it is'
  }),
  confirmationMinutes: Type.Integer({
    env: 'IDENTITY_CONFIRMATION_MINUTES',
    minimum: 1,
    maximum: 1_440,
    default: 10,
    description:
      'So long after signing in a person changes how it signs in, and makes keys, without confirming who it is'
  }),
  invitationDays: Type.Integer({
    env: 'IDENTITY_INVITATION_DAYS',
    minimum: 1,
    maximum: 90,
    default: 7,
    description: 'How long an invitation is good'
  }),
  resetMinutes: Type.Integer({
    env: 'IDENTITY_RESET_MINUTES',
    minimum: 1,
    maximum: 10_080,
    default: 60,
    description: 'How long a link is good by which a person sets a new password'
  }),
  keyDays: Type.Integer({
    env: 'IDENTITY_KEY_DAYS',
    minimum: 1,
    maximum: 365,
    default: 30,
    description: 'After so many days a new key signs tokens'
  }),
  signInsPerMinute: Type.Integer({
    env: 'IDENTITY_SIGN_INS_PER_MINUTE',
    minimum: 1,
    maximum: 1_000_000,
    default: 20,
    description: 'Passwords that are looked at a minute of one address'
  }),
  upstream: Type.String({
    env: 'IDENTITY_UPSTREAM',
    maxLength: 65_536,
    default: '[]',
    secret: true,
    description:
      'Providers by which people sign in, as JSON: `[{ "key": "…", "name": "…", "issuer": "https://…", "clientId": "…", "clientSecret": "…" }]`'
  }),
  clients: Type.String({
    env: 'IDENTITY_CLIENTS',
    maxLength: 65_536,
    default: '[]',
    description:
      'Applications that people sign in to, as JSON: `[{ "clientId": "…", "name": "…", "redirectUris": ["https://…"] }]`'
  })
})
export type Settings = Static<typeof settings>
