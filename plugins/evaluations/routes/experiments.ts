import type { App, Reply, Request, Streams } from 'agent-platform'
import { compareExperiments, listComparedItems } from '../schemas/comparison.ts'
import {
  cancelExperiment,
  createExperiment,
  deleteExperiment,
  followExperiment,
  listExperiments,
  readExperiment
} from '../schemas/experiments.ts'
import { listResults } from '../schemas/results.ts'
import type { Comparisons } from '../services/comparisons.ts'
import type { ExperimentService } from '../services/experiments.ts'
import { idField } from '../services/progress.ts'

interface Deps {
  streams: Streams
  experimentService: ExperimentService
  comparisons: Comparisons
}

/** An agent has no say in how it is measured. */
const config = { principals: ['user', 'service'] } as const
const path = '/evaluations/experiments'
const one = `${path}/:experimentId` as const

export function experimentRoutes(app: App, { streams, experimentService, comparisons }: Deps) {
  app.post(path, { schema: createExperiment, config }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await experimentService.create(principal, body) })
  })
  app.get(path, { schema: listExperiments, config }, ({ principal, query }) =>
    experimentService.list(principal, query)
  )
  app.get(one, { schema: readExperiment, config }, async ({ principal, params }) => {
    return { data: await experimentService.read(principal, params.experimentId) }
  })
  app.delete(one, { schema: deleteExperiment, config }, async ({ principal, params }) => {
    return { data: await experimentService.remove(principal, params.experimentId) }
  })
  app.post(`${one}/cancel`, { schema: cancelExperiment, config }, async ({ principal, params }) => {
    return { data: await experimentService.cancel(principal, params.experimentId) }
  })
  app.get(`${one}/results`, { schema: listResults, config }, ({ principal, params, query }) =>
    experimentService.results(principal, params.experimentId, query)
  )
  app.get(`${one}/stream`, { schema: followExperiment, config }, async (request, reply) => {
    const found = await experimentService.findStream(request.principal, request.params.experimentId)
    await streams.serve(request as Request, reply as Reply, { ...found, idField })
    return reply
  })

  app.get('/evaluations/compare', { schema: compareExperiments, config }, async ({ principal, query }) => {
    return { data: await comparisons.compare(principal, query.ids) }
  })
  app.get('/evaluations/compare/items', { schema: listComparedItems, config }, ({ principal, query }) =>
    comparisons.list(principal, query)
  )
}
