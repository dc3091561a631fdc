import type { App } from 'agent-platform'
import { createTicket } from '../schemas/terminal.ts'
import type { TerminalTickets } from '../terminal/tickets.ts'

export function terminalRoutes(app: App, { terminalTickets }: { terminalTickets: TerminalTickets }) {
  const config = { scope: ['agents:write'], secret: 'ticket' }
  app.post(
    '/agents/:agentId/computer/terminal/tickets',
    { schema: createTicket, config },
    async ({ principal, params }, reply) => {
      return reply.code(201).send({ data: await terminalTickets.mint(principal, params.agentId) })
    }
  )
}
