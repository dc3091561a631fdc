import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { flowchartOf } from '../flowchart.ts'
import { listVersions, readVersion } from '../schemas/versions.ts'
import {
  createWorkflow,
  deleteWorkflow,
  forkWorkflow,
  listPublicWorkflows,
  listWorkflows,
  readWorkflow,
  updateWorkflow
} from '../schemas/workflows.ts'
import type { ForkService } from '../services/forks.ts'
import type { VersionService } from '../services/versions.ts'
import type { WorkflowService } from '../services/workflows.ts'

interface Deps {
  workflowService: WorkflowService
  forkService: ForkService
  versionService: VersionService
}

/** A definition acts later, as whom it belongs to: tokens read and execute what there is. */
const config = { tokens: 'whole' } as const

export function workflowRoutes(app: App, { workflowService, forkService, versionService }: Deps) {
  app.post(
    '/workflows',
    { schema: createWorkflow, config: { principals: ['user', 'service'] } },
    async ({ principal, body }, reply) => {
      const workflow = await workflowService.create(principal, body)
      return reply.code(201).send({ data: workflow })
    }
  )

  app.get('/workflows', { schema: listWorkflows, config }, ({ principal, query }) =>
    workflowService.list(principal, query)
  )

  app.get('/workflows/public', { schema: listPublicWorkflows, config }, ({ query }) =>
    workflowService.listPublic(query)
  )

  app.get('/workflows/:id', { schema: readWorkflow, config }, async ({ principal, params, query }, reply) => {
    const workflow = await workflowService.read(principal, params.id)
    reply.header('etag', `"${workflow.version}"`)
    if (query.format === 'mermaid')
      return reply.type('text/vnd.mermaid; charset=utf-8').send(flowchartOf(workflow.definition))
    return reply.type('application/json; charset=utf-8').send({ data: workflow })
  })

  app.post(
    '/workflows/:id/fork',
    { schema: forkWorkflow, config: { principals: ['user', 'service'] } },
    async ({ principal, params, body }, reply) => {
      return reply.code(201).send({ data: await forkService.fork(principal, params.id, body ?? {}) })
    }
  )

  app.put('/workflows/:id', { schema: updateWorkflow }, async (request) => {
    const { principal, params, body } = request
    return { data: await workflowService.update(principal, params.id, body, ifMatch(request)) }
  })

  app.get('/workflows/:id/versions', { schema: listVersions, config }, ({ principal, params, query }) =>
    versionService.list(principal, params.id, query)
  )

  app.get(
    '/workflows/:id/versions/:version',
    { schema: readVersion, config },
    async ({ principal, params }) => {
      return { data: await versionService.read(principal, params.id, params.version) }
    }
  )

  app.delete('/workflows/:id', { schema: deleteWorkflow }, async (request) => {
    const { principal, params } = request
    return { data: await workflowService.remove(principal, params.id, ifMatch(request)) }
  })
}
