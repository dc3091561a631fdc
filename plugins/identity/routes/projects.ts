import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import * as schemas from '../schemas/projects.ts'
import type { Invitations } from '../services/invitations.ts'
import type { ProjectKeyService } from '../services/project-keys.ts'
import type { ProjectService } from '../services/projects.ts'

interface Deps {
  projectService: ProjectService
  projectKeyService: ProjectKeyService
  invitations: Invitations
}
const principals = ['user'] as const
const config = { principals }
const sensitive = { principals, limit: 'sensitive' } as const

export function projectRoutes(app: App, { projectService, projectKeyService, invitations }: Deps) {
  app.post(
    '/projects',
    { schema: schemas.createProject, config: sensitive },
    async ({ principal, body }, reply) =>
      reply.code(201).send({ data: (await projectService.create(principal, body)) as never })
  )
  app.get('/projects', { schema: schemas.listProjects, config }, async ({ principal, query }) => {
    return (await projectService.list(principal, query)) as never
  })
  app.get('/projects/:projectId', { schema: schemas.readProject, config }, async ({ principal, params }) => ({
    data: (await projectService.read(principal, params.projectId)) as never
  }))

  app.put(
    '/projects/:projectId',
    { schema: schemas.renameProject, config },
    async ({ principal, params, body }) => ({
      data: (await projectService.rename(principal, params.projectId, body.name)) as never
    })
  )
  app.delete(
    '/projects/:projectId',
    { schema: schemas.deleteProject, config },
    async ({ principal, params }) => ({ data: await projectService.remove(principal, params.projectId) })
  )

  app.get(
    '/projects/:projectId/members',
    { schema: schemas.listMembers, config },
    async ({ principal, params, query }) =>
      (await projectService.listMembers(principal, params.projectId, query)) as never
  )
  app.put(
    '/projects/:projectId/members/:memberId',
    { schema: schemas.updateMember, config },
    async (request) => {
      const { principal, params, body } = request
      const { projectId, memberId } = params
      const version = ifMatch(request)
      return {
        data: (await projectService.updateMember(principal, projectId, memberId, body.role, version)) as never
      }
    }
  )
  app.delete(
    '/projects/:projectId/members/:memberId',
    { schema: schemas.removeMember, config },
    async ({ principal, params }) => ({
      data: await projectService.removeMember(principal, params.projectId, params.memberId)
    })
  )

  app.post(
    '/projects/:projectId/invitations',
    { schema: schemas.inviteMember, config: { ...sensitive, secret: 'url' } },
    async ({ principal, params, body }, reply) => {
      const data = await invitations.invite(principal, params.projectId, body)
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ data: data as never })
    }
  )
  app.get(
    '/projects/:projectId/invitations',
    { schema: schemas.listInvitations, config },
    async ({ principal, params, query }) =>
      (await invitations.list(principal, params.projectId, query)) as never
  )
  app.delete(
    '/projects/:projectId/invitations/:invitationId',
    { schema: schemas.withdrawInvitation, config },
    async ({ principal, params }) => ({
      data: await invitations.withdraw(principal, params.projectId, params.invitationId)
    })
  )

  app.post(
    '/projects/:projectId/keys',
    { schema: schemas.createProjectKey, config: { ...sensitive, secret: 'key' } },
    async ({ principal, params, body }, reply) => {
      const data = await projectKeyService.create(principal, params.projectId, body)
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ data: data as never })
    }
  )
  app.get(
    '/projects/:projectId/keys',
    { schema: schemas.listProjectKeys, config },
    async ({ principal, params, query }) =>
      (await projectKeyService.list(principal, params.projectId, query)) as never
  )
  app.delete(
    '/projects/:projectId/keys/:keyId',
    { schema: schemas.revokeProjectKey, config },
    async ({ principal, params }) => ({
      data: await projectKeyService.revoke(principal, params.projectId, params.keyId)
    })
  )
}
