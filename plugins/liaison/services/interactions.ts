import type { Kernel, Principal } from 'agent-platform'
import { forbidden, newId, notFound, rateLimited, unauthenticated } from 'agent-platform'
import type { Run, Runs } from '../../runs/contract.ts'
import type { Interacted, Interaction, Message } from '../schemas/interactions.ts'
import { liaisons, outsiders } from '../schemas/liaisons.ts'
import type { LiaisonSettings } from '../settings.ts'
import type { LiaisonRow, LiaisonStore } from '../stores/liaisons.ts'
import type { OutsiderRow, OutsiderStore } from '../stores/outsiders.ts'
import { makeToken, readToken } from '../tokens.ts'
import { isExpired } from './liaisons.ts'

export type InteractionService = ReturnType<typeof createInteractionService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'limits' | 'principals'> {
  settings: LiaisonSettings
  runs: Runs
  liaisonStore: LiaisonStore
  outsiderStore: OutsiderStore
}

/** Who speaks to which liaison, by the token that came. */
export interface Admitted {
  readonly liaison: LiaisonRow
  /** Undefined for one that speaks for the first time. */
  readonly outsider: OutsiderRow | undefined
  /** The liaison's agent, on behalf of this outsider. */
  readonly by: Principal
}

/** Of one address to one liaison: a look at what is worked on each second. */
const REQUESTS_PER_MINUTE = 60

const closedTo = (message: string, code: string) => forbidden(message, { code })

/** What outsiders say, and what they are answered. */
export function createInteractionService(deps: Deps) {
  const { knex, transaction, facts, limits, principals, settings, runs, liaisonStore, outsiderStore } = deps

  /** 401 for what is no such token, 403 for one that is answered no more. */
  async function admit(authorization: string | undefined, ip: string): Promise<Admitted> {
    const token = readToken(authorization)
    const outsider = token?.kind === 'outsider' ? await outsiderStore.findOfToken(token) : undefined
    const liaison =
      token?.kind === 'liaison'
        ? await liaisonStore.findOfToken(token)
        : outsider && (await liaisons.find(knex, outsider.liaisonId))
    if (!liaison) throw unauthenticated('The public token of a liaison is required')
    // Requests of outsiders count for their project: no address uses up what that has.
    await limits.count('liaison.requests', `${liaison.id}/${ip}`, REQUESTS_PER_MINUTE)
    if (isExpired(liaison)) throw closedTo('The liaison answers no more', 'liaison_expired')
    if (outsider && outsider.blockedAt !== null) throw closedTo('The liaison answers no more', 'blocked')
    if (!(await principals.of(liaison.project, liaison.owner)))
      throw closedTo('The liaison answers no more', 'owner_disabled')
    return { liaison, outsider, by: actingFor(liaison, outsider?.id ?? newId('outsider')) }
  }

  async function interact(
    { liaison, outsider: known, by }: Admitted,
    { message, name, waitSeconds = 30 }: Message,
    { ip, key, left }: { ip: string; key: string | undefined; left: AbortSignal }
  ): Promise<Interacted> {
    await limits.count('liaison', `${liaison.id}/${ip}`, settings.messagesPerMinute)
    if (known) await limits.count('liaison', known.id, settings.messagesPerMinute)
    if (!(await liaisonStore.countMessage(liaison)))
      throw rateLimited(secondsToMidnight(), 'The liaison has been sent all that it takes in a day')
    const { outsider, token } = known
      ? { outsider: known, token: null }
      : await meet(liaison, by, name ?? null)
    const started = await runs.start(by, {
      agentId: liaison.agentId,
      messages: [{ role: 'user', content: message, untrusted: true }],
      ...(outsider.sessionId !== null && { sessionId: outsider.sessionId }),
      ...(key !== undefined && { key: `${outsider.id}/${key}` })
    })
    await outsiderStore.updateSpoken(outsider, started.sessionId)
    return { ...shown(liaison, await started.settled(until(left, waitSeconds))), token }
  }

  async function meet({ project, owner, id, agentId }: LiaisonRow, by: Principal, name: string | null) {
    const { token, hash } = makeToken(by.initiator as string)
    const row = {
      id: by.initiator as string,
      project,
      owner,
      liaisonId: id,
      agentId,
      name,
      messages: 0,
      tokenHash: hash
    }
    const outsider = await transaction(async (trx) => {
      const made = await outsiders.insert(trx, row as typeof row)
      const data = { id: made.id, liaisonId: id }
      await facts.record(trx, 'liaison.outsider_met', by, { subject: id, owner, data })
      return made
    })
    return { outsider, token }
  }

  async function read(
    { liaison, outsider, by }: Admitted,
    id: string,
    waitSeconds: number,
    left: AbortSignal
  ): Promise<Interaction> {
    if (!outsider?.sessionId) throw notFound('Interaction')
    const { sessionId } = await runs.find(by, id).catch((error) => {
      throw (error as { kind?: string }).kind === 'forbidden' ? notFound('Interaction') : error
    })
    // What another outsider said is not there for this one.
    if (sessionId !== outsider.sessionId) throw notFound('Interaction')
    return shown(liaison, await runs.settled(by, id, until(left, waitSeconds)))
  }

  return { admit, interact, read }
}

/** Memories and sessions are kept apart by the initiator. */
const actingFor = ({ project, owner, agentId }: LiaisonRow, initiator: string): Principal => ({
  id: agentId,
  type: 'agent',
  project,
  owner,
  initiator,
  scopes: new Set(['agents:run']),
  narrowed: false,
  credential: ''
})

const until = (left: AbortSignal, seconds: number) =>
  AbortSignal.any([left, AbortSignal.timeout(seconds * 1_000)])

const secondsToMidnight = () => Math.ceil((86_400_000 - (Date.now() % 86_400_000)) / 1_000)

const statuses = {
  queued: 'working',
  running: 'working',
  waiting: 'waiting',
  completed: 'answered',
  failed: 'failed',
  cancelled: 'failed'
} as const

/** Never why something failed: that is for the owner. */
const shown = ({ id: liaisonId }: LiaisonRow, { id, status, content, createdAt }: Run): Interaction => ({
  id,
  liaisonId,
  status: statuses[status],
  content: status === 'completed' ? content : null,
  createdAt
})
