import type { App, Kernel, Reply } from 'agent-platform'
import { invalid } from 'agent-platform'
import type { Interactions, Step } from '../interactions.ts'
import { invitationPage, messagePage, passwordResetPage } from '../pages/pages.ts'
import * as schemas from '../schemas/pages.ts'
import type { Invitations } from '../services/invitations.ts'
import { handleIn } from '../services/passkeys.ts'
import type { PasswordResets } from '../services/password-resets.ts'
import type { IdentityProvider } from '../services/provider.ts'
import type { UpstreamSignIn } from '../services/upstream-sign-in.ts'
import type { Settings } from '../settings.ts'
import { attemptCookie } from './attempt-cookie.ts'

interface Deps extends Pick<Kernel, 'sessionCookie' | 'limits' | 'platform'> {
  settings: Settings
  interactions: Interactions
  invitations: Invitations
  passwordResets: PasswordResets
  identityProvider: IdentityProvider
  upstreamSignIn: UpstreamSignIn
}
const config = { root: true, by: 'public' } as const
const form = { ...config, body: 'raw', bodyLimit: 16_384 } as const

/** Pages on which people sign in, let applications in and accept invitations. */
export function interactionRoutes(app: App, deps: Deps) {
  const { sessionCookie, limits, settings, interactions, identityProvider } = deps
  const { invitations, passwordResets } = deps
  const cookie = attemptCookie(deps.platform.baseUrl)

  /** Who signed in after coming back from a provider elsewhere, in the same interaction, signs in by that from then on. */
  async function answerLinking(
    { headers, params }: { headers: { cookie?: string | undefined }; params: { uid: string } },
    reply: Reply,
    step: Step,
    is: { id?: string; email?: string }
  ) {
    const kept = cookie.read(headers.cookie)
    if ('location' in step && kept && kept.uid === params.uid) {
      await deps.upstreamSignIn.link(kept.secret, is)
      reply.header('set-cookie', cookie.none)
    }
    return answer(reply, step)
  }

  app.get('/identity/interaction/:uid', { schema: schemas.showInteraction, config }, async ({ raw }, reply) =>
    answer(reply, await interactions.show({ raw, reply }))
  )
  app.post(
    '/identity/interaction/:uid/sign-in',
    { schema: schemas.signIn, config: form },
    async (request, reply) => {
      const { raw, ip, body } = request
      sessionCookie.checkOrigin(raw)
      const fields = fieldsOf(body)
      const email = fields('email')
      const step = await interactions.signIn({ raw, reply }, ip, email, fields('password'))
      return answerLinking(request, reply, step, { email })
    }
  )
  app.post(
    '/identity/interaction/:uid/passkey',
    { schema: schemas.signInByPasskey, config: form },
    async (request, reply) => {
      const { raw, ip, body } = request
      sessionCookie.checkOrigin(raw)
      const response = fieldsOf(body)('response')
      const step = await interactions.signInByPasskey({ raw, reply }, ip, response)
      return answerLinking(request, reply, step, 'location' in step ? { id: handleIn(response) } : {})
    }
  )
  app.post(
    '/identity/interaction/:uid/consent',
    { schema: schemas.consent, config: form },
    async (request, reply) => {
      const { raw, body } = request
      sessionCookie.checkOrigin(raw)
      const fields = fieldsOf(body)
      return answer(reply, await interactions.consent({ raw, reply }, fields('decision'), fields('project')))
    }
  )

  const resetPath = (code: string) => `${identityProvider.path}/resets/${code}`
  app.get(
    '/identity/resets/:code',
    { schema: schemas.showPasswordReset, config },
    async ({ params: { code } }, reply) => {
      const { person } = await passwordResets.read(code)
      return answer(reply, passwordResetPage({ action: resetPath(code), email: person.email }))
    }
  )
  app.post(
    '/identity/resets/:code',
    { schema: schemas.usePasswordReset, config: form },
    async (request, reply) => {
      const { raw, params, body, ip } = request
      sessionCookie.checkOrigin(raw)
      await limits.count('sign-ins', ip, settings.signInsPerMinute)
      const { code } = params
      const { person } = await passwordResets.read(code)
      try {
        await passwordResets.use(code, fieldsOf(body)('password'))
      } catch (error) {
        const { kind, message } = error as { kind?: string; message: string }
        if (kind !== 'invalid') throw error
        const { email } = person
        const again = passwordResetPage({ action: resetPath(code), email, fault: `${message}.` })
        return answer(reply, { ...again, status: 400 })
      }
      return answer(
        reply,
        messagePage(
          'Your password is set',
          'You are signed out everywhere: sign in with it where you want to go.'
        )
      )
    }
  )

  const pathOf = (code: string) => `${identityProvider.path}/invitations/${code}`
  app.get(
    '/identity/invitations/:code',
    { schema: schemas.showInvitation, config },
    async ({ params }, reply) => {
      const { code } = params
      const { invitation, hasAccount } = await invitations.read(code)
      return answer(reply, invitationPage({ action: pathOf(code), email: invitation.email, hasAccount }))
    }
  )
  app.post(
    '/identity/invitations/:code',
    { schema: schemas.acceptInvitation, config: form },
    async (request, reply) => {
      const { raw, params, body, ip } = request
      sessionCookie.checkOrigin(raw)
      await limits.count('sign-ins', ip, settings.signInsPerMinute)
      const { code } = params
      const fields = fieldsOf(body)
      const name = fields('name').trim()
      const { invitation, hasAccount } = await invitations.read(code)
      const again = (fault: string) =>
        answer(reply, {
          ...invitationPage({ action: pathOf(code), email: invitation.email, hasAccount, fault, name }),
          status: 400
        })
      if (!hasAccount && (name === '' || name.length > 200))
        return again('Say your name, in at most 200 characters.')
      try {
        await invitations.accept(code, { name, password: fields('password') })
      } catch (error) {
        const { kind, message } = error as { kind?: string; message: string }
        if (kind === 'invalid' || kind === 'forbidden') return again(`${message}.`)
        throw error
      }
      return answer(reply, messagePage('Welcome', 'Your account is ready: sign in where you want to go.'))
    }
  )
}

export function answer(reply: Reply, step: Step) {
  if ('location' in step)
    return reply.code(303).header('cache-control', 'no-store').redirect(step.location, 303)
  return reply
    .code(step.status ?? 200)
    .headers(step.headers)
    .send(step.markup)
}

/** The fields of a form, each as a text; 400 for what is no form. */
function fieldsOf(body: unknown): (name: string) => string {
  if (!Buffer.isBuffer(body)) throw invalid('', 'A form is required')
  const fields = new URLSearchParams(body.toString())
  return (name) => (fields.get(name) ?? '').replaceAll('\0', '')
}
