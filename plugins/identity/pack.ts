import { definePack } from 'agent-platform'
import type {} from '../access/contract.ts'
import type {} from '../console/contract.ts'
import type {} from '../jobs/contract.ts'
import { createInteractions } from './interactions.ts'
import { accountRoutes } from './routes/account.ts'
import { interactionRoutes } from './routes/interactions.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { peopleRoutes } from './routes/people.ts'
import { projectRoutes } from './routes/projects.ts'
import { providerRoutes } from './routes/provider.ts'
import { upstreamRoutes } from './routes/upstream.ts'
import { createAreas } from './services/areas.ts'
import { SIGN_IN_METHOD } from './services/clients.ts'
import { createConfirmations } from './services/confirmations.ts'
import { createConsoleSignIn } from './services/console-sign-in.ts'
import { createInvitations } from './services/invitations.ts'
import { createMembership } from './services/membership.ts'
import { createPasskeys } from './services/passkeys.ts'
import { createPasswordResets } from './services/password-resets.ts'
import { createPeople } from './services/people.ts'
import { createProjectKeyService } from './services/project-keys.ts'
import { createProjectService } from './services/projects.ts'
import { createIdentityProvider } from './services/provider.ts'
import { createSessions } from './services/sessions.ts'
import { createSigningKeys } from './services/signing-keys.ts'
import { createUpstreamSignIn } from './services/upstream-sign-in.ts'
import { createWays } from './services/ways.ts'
import { settings } from './settings.ts'
import { createAccountStore } from './stores/accounts.ts'
import { createArtifacts } from './stores/artifacts.ts'
import { createInvitationStore } from './stores/invitations.ts'
import { createKeyStore } from './stores/keys.ts'
import { createMemberStore } from './stores/members.ts'
import { createPasskeyStore } from './stores/passkeys.ts'
import { createPasswordResetStore } from './stores/password-resets.ts'
import { createPersonStore } from './stores/people.ts'
import { createSessionStore } from './stores/sessions.ts'
import { createSigningKeyStore } from './stores/signing-keys.ts'

/** People: how they sign in, to which projects they belong, and the provider that tells applications who they are. */
export default definePack({
  name: 'identity',
  area: 'Platform',
  summary: 'user accounts, sign-in, projects, roles and keys, and an OpenID Connect provider',
  requires: ['jobs'],
  settings,
  services: {
    personStore: createPersonStore,
    passkeyStore: createPasskeyStore,
    accountStore: createAccountStore,
    sessionStore: createSessionStore,
    invitationStore: createInvitationStore,
    passwordResetStore: createPasswordResetStore,
    memberStore: createMemberStore,
    keyStore: createKeyStore,
    signingKeyStore: createSigningKeyStore,
    artifacts: createArtifacts,
    signingKeys: createSigningKeys,
    areas: createAreas,
    people: createPeople,
    sessions: createSessions,
    ways: createWays,
    passwordResets: createPasswordResets,
    passkeys: createPasskeys,
    confirmations: createConfirmations,
    membership: createMembership,
    projectService: createProjectService,
    projectKeyService: createProjectKeyService,
    invitations: createInvitations,
    upstreamSignIn: createUpstreamSignIn,
    identityProvider: createIdentityProvider,
    consoleSignIn: createConsoleSignIn,
    interactions: createInteractions
  },
  routes(app, deps) {
    providerRoutes(app, deps)
    interactionRoutes(app, deps)
    upstreamRoutes(app, deps)
    peopleRoutes(app, deps)
    accountRoutes(app, deps)
    passkeyRoutes(app, deps)
    projectRoutes(app, deps)
  },
  contributes: {
    'platform.issuer': [{ make: ({ identityProvider }) => identityProvider }],
    'access.key_guard': [{ make: ({ people }) => ({ check: people.checkLately }) }],
    'console.sign_in': [{ key: SIGN_IN_METHOD, make: ({ consoleSignIn }) => consoleSignIn }],
    'jobs.worker': [
      {
        key: 'identity.forget',
        make: ({ artifacts, invitationStore, passwordResetStore, sessionStore }) => ({
          async work() {
            await artifacts.removeExpired()
            await invitationStore.removeExpired()
            await passwordResetStore.removeExpired()
            await sessionStore.removeExpired()
          },
          cron: '23 * * * *'
        })
      },
      {
        key: 'identity.rotate',
        make: ({ signingKeys }) => ({ work: () => signingKeys.rotate(), cron: '7 3 * * *' })
      }
    ]
  },
  async stop({ signingKeys }) {
    signingKeys.close()
  }
})
