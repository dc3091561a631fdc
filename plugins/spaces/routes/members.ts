import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { addMember, listMembers, removeMember, updateMember } from '../schemas/members.ts'
import type { MemberService } from '../services/members.ts'

/** Tokens bring nobody in: an agent would answer from then on. */
const config = { tokens: 'whole' } as const

export function memberRoutes(app: App, { memberService }: { memberService: MemberService }) {
  app.get('/spaces/:spaceId/members', { schema: listMembers, config }, ({ principal, params, query }) =>
    memberService.list(principal, params.spaceId, query)
  )

  app.post('/spaces/:spaceId/members', { schema: addMember }, async ({ principal, params, body }, reply) => {
    return reply.code(201).send({ data: await memberService.add(principal, params.spaceId, body) })
  })

  app.put('/spaces/:spaceId/members/:memberId', { schema: updateMember }, async (request) => {
    const { principal, params, body } = request
    const { spaceId, memberId } = params
    return { data: await memberService.update(principal, spaceId, memberId, body, ifMatch(request)) }
  })

  app.delete('/spaces/:spaceId/members/:memberId', { schema: removeMember }, async (request) => {
    const { spaceId, memberId } = request.params
    return { data: await memberService.remove(request.principal, spaceId, memberId, ifMatch(request)) }
  })
}
