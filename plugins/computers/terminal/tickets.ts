import { createHash, randomBytes } from 'node:crypto'
import type { Asked, Kernel, Principal } from 'agent-platform'
import { unauthenticated } from 'agent-platform'
import type { ComputerService } from '../services/computers.ts'

export type TerminalTickets = ReturnType<typeof createTerminalTickets>

const TABLE = 'computers.ticket'
const SECONDS = 30

interface Deps extends Pick<Kernel, 'knex' | 'principals'> {
  computerService: ComputerService
}
/** As it lies in the record. */
type Kept = Omit<Principal, 'scopes'> & { readonly scopes: readonly string[] }

const digestOf = (ticket: string) => createHash('sha256').update(ticket).digest('hex')

/** Stand for the caller's credential where a browser opens a terminal, as its sockets have no header: once, and soon. */
export function createTerminalTickets({ knex, principals, computerService }: Deps) {
  return {
    async mint(by: Principal, agentId: string) {
      const { project, owner } = await computerService.enabled(by, agentId, 'change')
      const ticket = randomBytes(32).toString('base64url')
      const principal: Kept = { ...by, scopes: [...by.scopes] }
      await knex(TABLE).insert({
        project,
        owner,
        id: digestOf(ticket),
        agentId,
        principal: JSON.stringify(principal)
      })
      return { ticket, expiresAt: new Date(Date.now() + SECONDS * 1_000).toISOString() }
    },

    /** Whose ticket it is; good for nothing afterwards. 401 for one that is not known, is late or was used. */
    async identify({ params }: Asked): Promise<Principal> {
      const { agentId = '', ticket = '' } = params as { agentId?: string; ticket?: string }
      const [found] = await knex(TABLE)
        .where({ id: digestOf(ticket), agentId })
        .delete()
        .returning([
          'principal',
          knex.raw('"createdAt" > now() - make_interval(secs => ?) as fresh', [SECONDS])
        ])
      const kept = found?.fresh ? (found.principal as Kept) : undefined
      if (
        !kept ||
        (kept.token && kept.token.endsAt < Date.now()) ||
        !(await principals.of(kept.project, kept.owner))
      )
        throw unauthenticated('The ticket is not good, or not any more')
      return { ...kept, scopes: new Set(kept.scopes) }
    }
  }
}
