import type { App, Principal } from 'agent-platform'
import { forbidden } from 'agent-platform'
import * as schemas from '../schemas/people.ts'
import type { Invitations } from '../services/invitations.ts'
import type { PasswordResets } from '../services/password-resets.ts'
import type { People } from '../services/people.ts'
import type { ProjectService } from '../services/projects.ts'

interface Deps {
  people: People
  projectService: ProjectService
  invitations: Invitations
  passwordResets: PasswordResets
}
const config = { scope: ['platform:admin'] }

/** 403 for the token of an application: people that it lets in would outlast what the operator agreed to. */
async function refuseApplications({ principal }: { principal: Principal }): Promise<void> {
  const { type, token, narrowed } = principal
  if (type === 'user' && token !== undefined && narrowed)
    throw forbidden('Applications do not manage people', { code: 'scope_missing' })
}
export const operators = { config, preHandler: refuseApplications }

export function peopleRoutes(app: App, { people, projectService, invitations, passwordResets }: Deps) {
  app.post(
    '/people/invitations',
    { ...operators, schema: schemas.invitePerson, config: { ...config, limit: 'sensitive', secret: 'url' } },
    async ({ principal, body }, reply) => {
      const data = await invitations.inviteByOperator(principal, body)
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ data: data as never })
    }
  )
  app.get(
    '/people/invitations',
    { ...operators, schema: schemas.listPlatformInvitations },
    async ({ query }) => (await invitations.listByOperator(query)) as never
  )
  app.delete(
    '/people/invitations/:invitationId',
    { ...operators, schema: schemas.withdrawPlatformInvitation },
    async ({ principal, params }) => ({
      data: await invitations.withdrawByOperator(principal, params.invitationId)
    })
  )
  app.get(
    '/people',
    { ...operators, schema: schemas.listPeople },
    async ({ query }) => (await people.list(query)) as never
  )
  app.get(
    '/people/me',
    { schema: schemas.readOwnPerson, config: { principals: ['user'] } },
    async ({ principal }) => ({ data: (await people.of(principal)) as never })
  )
  app.get('/people/:personId', { ...operators, schema: schemas.readPerson }, async ({ params }) => ({
    data: (await people.find(params.personId)) as never
  }))
  app.post(
    '/people/:personId/disable',
    { ...operators, schema: schemas.disablePerson },
    async ({ principal, params }) => {
      return { data: (await people.disable(principal, params.personId, projectService)) as never }
    }
  )
  app.post(
    '/people/:personId/enable',
    { ...operators, schema: schemas.enablePerson },
    async ({ principal, params }) => ({
      data: (await people.enable(principal, params.personId)) as never
    })
  )
  app.post(
    '/people/:personId/password-reset',
    { ...operators, schema: schemas.resetPassword, config: { ...config, limit: 'sensitive', secret: 'url' } },
    async ({ principal, params }, reply) => {
      const data = await passwordResets.create(principal, params.personId)
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ data: data as never })
    }
  )
  app.delete(
    '/people/:personId/password-reset',
    { ...operators, schema: schemas.withdrawPasswordReset },
    async ({ principal, params }) => ({ data: await passwordResets.withdraw(principal, params.personId) })
  )
}
