import { Readable } from 'node:stream'
import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import type { ForkService } from './forks.ts'
import type { Message, Session } from './schemas.ts'
import {
  createSession,
  deleteSession,
  forkSession,
  listBranches,
  listOfAgent,
  listOfBoth,
  listOfInitiator,
  readFullSession,
  readSession,
  readTranscript,
  updateSession
} from './schemas.ts'
import type { SessionService } from './service.ts'

const config = { tokens: 'agents' } as const

export function sessionRoutes(
  app: App,
  { sessionService, forkService }: { sessionService: SessionService; forkService: ForkService }
) {
  app.post('/sessions', { schema: createSession, config }, async ({ principal, body }, reply) => {
    const session = await sessionService.create(principal, body)
    return reply.code(201).send({ data: session })
  })

  app.get('/sessions/:id', { schema: readSession, config }, async ({ principal, params }) => {
    return { data: await sessionService.owned(principal, params.id, 'read') }
  })

  app.get('/sessions/:id/full', { schema: readFullSession, config }, async ({ principal, params }, reply) => {
    const { session, pages } = await sessionService.full(principal, params.id)
    reply.type('application/json; charset=utf-8').header('etag', `"${session.version}"`)
    return reply.send(Readable.from(written(session, pages)) as never)
  })

  app.get('/sessions/agent/:agentId', { schema: listOfAgent, config }, ({ principal, params, query }) =>
    sessionService.list(principal, params, query)
  )

  app.get('/sessions/user/:initiator', { schema: listOfInitiator, config }, ({ principal, params, query }) =>
    sessionService.list(principal, params, query)
  )

  app.get(
    '/sessions/list/:agentId/:initiator',
    { schema: listOfBoth, config },
    ({ principal, params, query }) => sessionService.list(principal, params, query)
  )

  app.post(
    '/sessions/:id/fork',
    { schema: forkSession, config },
    async ({ principal, params, body }, reply) => {
      return reply.code(201).send({ data: await forkService.fork(principal, params.id, body) })
    }
  )

  app.get('/sessions/:id/branches', { schema: listBranches, config }, ({ principal, params, query }) =>
    forkService.branches(principal, params.id, query)
  )

  app.patch('/sessions/:id', { schema: updateSession }, async (request) => {
    const { principal, params, body } = request
    return { data: await sessionService.update(principal, params.id, body, ifMatch(request)) }
  })

  app.delete('/sessions/:id', { schema: deleteSession }, async (request) => {
    const { principal, params } = request
    await sessionService.remove(principal, params.id, ifMatch(request))
    return { data: { id: params.id, deleted: true as const } }
  })

  app.get(
    '/agents/sessions/:sessionId/chat',
    { schema: readTranscript, config: { scope: ['agents:read'], ...config } },
    ({ principal, params, query }) => sessionService.transcript(principal, params.sessionId, query)
  )
}

/** The text of a reply that is too long to be made in one go; nothing of it before the first page is there. */
async function* written(session: Session, pages: AsyncIterable<readonly Message[]>) {
  let before = `{"data":${JSON.stringify(session).slice(0, -1)},"messages":[`
  for await (const page of pages) {
    yield before + JSON.stringify(page).slice(1, -1)
    before = ','
  }
  yield before === ',' ? ']}}' : `${before}]}}`
}
