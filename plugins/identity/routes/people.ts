import type { App } from 'agent-platform'
import * as schemas from '../schemas/people.ts'
import type { Invitations } from '../services/invitations.ts'
import type { People } from '../services/people.ts'
import type { ProjectService } from '../services/projects.ts'

interface Deps {
  people: People
  projectService: ProjectService
  invitations: Invitations
}
const config = { scope: ['platform:admin'] }

export function peopleRoutes(app: App, { people, projectService, invitations }: Deps) {
  app.post(
    '/people/invitations',
    { schema: schemas.invitePerson, config: { ...config, limit: 'sensitive', secret: 'url' } },
    async ({ principal, body }, reply) => {
      const data = await invitations.inviteByOperator(principal, body)
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ data: data as never })
    }
  )
  app.get(
    '/people',
    { schema: schemas.listPeople, config },
    async ({ query }) => (await people.list(query)) as never
  )
  app.get(
    '/people/me',
    { schema: schemas.readOwnPerson, config: { principals: ['user'] } },
    async ({ principal }) => ({ data: (await people.of(principal)) as never })
  )
  app.get('/people/:personId', { schema: schemas.readPerson, config }, async ({ params }) => ({
    data: (await people.find(params.personId)) as never
  }))
  app.post(
    '/people/:personId/disable',
    { schema: schemas.disablePerson, config },
    async ({ principal, params }) => {
      return { data: (await people.disable(principal, params.personId, projectService)) as never }
    }
  )
  app.post(
    '/people/:personId/enable',
    { schema: schemas.enablePerson, config },
    async ({ principal, params }) => ({
      data: (await people.enable(principal, params.personId)) as never
    })
  )
}
