import type { Delegation, Fact, Kernel, Principal, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Worker } from '../../jobs/contract.ts'
import type { OrderedMessage, Runs } from '../../runs/contract.ts'
import type { StoredMember } from '../schemas/members.ts'
import type { StoredMessage } from '../schemas/messages.ts'
import { MAX_CONTENT } from '../schemas/messages.ts'
import type { SpaceSettings } from '../settings.ts'
import type { SpaceAccess } from '../stores/access.ts'
import type { Answer, AnswerStore } from '../stores/answers.ts'
import type { MemberStore } from '../stores/members.ts'
import type { MessageStore } from '../stores/messages.ts'
import type { SpaceEvents } from './events.ts'
import type { Posting } from './posting.ts'
import type { Presence } from './presence.ts'

export type Answering = ReturnType<typeof createAnswering>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'principals' | 'limits'> {
  settings: SpaceSettings
  runs: Runs
  spaceAccess: SpaceAccess
  memberStore: MemberStore
  messageStore: MessageStore
  answerStore: AnswerStore
  spaceEvents: SpaceEvents
  posting: Posting
  presence: Presence
}

/** An answer that is this alone is not posted. */
export const SILENCE = 'NO_REPLY'
/** Messages that an agent is shown at once, at most. */
const SHOWN = 30
const KEEP_DAYS = 30
/** What another try does not mend. */
const refusals = ['invalid', 'forbidden', 'notFound', 'paymentRequired', 'tooLarge', 'rateLimited']
type AboutRun = Pick<Fact<{ readonly runId: string; readonly code?: string }>, 'project' | 'data'>

/** Agents answer by runs, each of which is begun once and posted once, whatever fails in between. */
export function createAnswering(deps: Deps) {
  const { knex, transaction, principals, limits, settings, runs } = deps
  const { spaceAccess, memberStore, messageStore, answerStore, spaceEvents, posting, presence } = deps

  async function begin(project: string, answerId: string): Promise<void> {
    const [answer] = await answerStore.listOrdered(project, [answerId])
    if (!answer) return
    const [member] = await memberStore.listOfIds(knex, project, [answer.memberId])
    const trigger = await messageStore.find(knex, project, answer.spaceId, answer.messageId)
    if (!member || !trigger || trigger.deletedAt !== null)
      return void (await answerStore.settle(knex, answer, 'cancelled'))
    try {
      await limits.count('spaces.answers', `${project}/${answer.spaceId}`, settings.answersPerMinute)
      const by = await principals.of(project, answer.owner, trigger.delegation)
      if (!by)
        throw Object.assign(new Error('The owner is disabled'), { kind: 'forbidden', code: 'owner_disabled' })
      // Who brought it may have been removed since, and learns nothing through it.
      await spaceAccess.find(by, answer.spaceId, 'guest')
      await run(by, answer, member, trigger)
    } catch (error) {
      const { kind, code } = error as { kind?: string; code?: unknown }
      if (kind === undefined || !refusals.includes(kind)) throw error
      await skip(answer, typeof code === 'string' ? code : kind)
    }
  }

  async function run(by: Principal, answer: Answer, member: StoredMember, trigger: StoredMessage) {
    const { project, spaceId, agentId, runId, turn } = answer
    const since = { after: member.seenMessageId, limit: SHOWN }
    const latest = await messageStore.listLatest(project, spaceId, since)
    const others = latest.filter(({ id, memberId }) => id !== trigger.id && memberId !== member.id)
    const said = [...others, trigger].filter(({ content }) => content !== null)
    presence.tell(spaceId, 'typing', { memberId: member.id })
    const { sessionId } = await runs.start(by, {
      id: runId,
      agentId,
      messages: said.map((message) => wordsOf(message, answer.owner)),
      depth: turn - 1,
      // Whose words are not its owner's is marked.
      trusted: true,
      silentAnswer: SILENCE,
      ...(member.sessionId !== null && { sessionId: member.sessionId })
    })
    await transaction(async (trx) => {
      const seenMessageId = [...said.map(({ id }) => id), member.seenMessageId ?? ''].sort().at(-1) ?? null
      await memberStore.replaceMarks(trx, member, { sessionId, seenMessageId })
      await answerStore.settle(trx, answer, 'begun')
    })
  }

  /** Says that there will be no answer, and why. */
  const skip = (answer: Answer, code: string): Promise<void> =>
    transaction(async (trx) => {
      if (await answerStore.settle(trx, answer, 'skipped', code))
        await tell(trx, answer, 'answer_skipped', code)
    })

  async function tell(trx: Trx, answer: Answer, type: string, code: string): Promise<void> {
    const { project, spaceId, memberId, messageId } = answer
    if (!(await memberStore.listOfIds(trx, project, [memberId])).length) return
    await spaceEvents.publish(trx, project, spaceId, type, { memberId, messageId, code })
  }

  const ended =
    (status: 'completed' | 'failed' | 'cancelled') =>
    async (facts: readonly AboutRun[], trx: Trx): Promise<void> => {
      for (const [project, about] of Map.groupBy(facts, (fact) => fact.project)) {
        const codes = new Map(about.map(({ data }) => [data.runId, data.code]))
        const taken = await answerStore.takeOpenOf(trx, project, [...codes.keys()])
        if (taken.length === 0) continue
        if (status === 'completed') await post(trx, project, taken)
        else
          for (const answer of taken) {
            const code = codes.get(answer.runId) ?? status
            await answerStore.settle(trx, answer, status, code)
            await tell(trx, answer, 'answer_failed', code)
          }
      }
    }

  async function post(trx: Trx, project: string, answers: readonly Answer[]): Promise<void> {
    const outcomes = await runs.outcomes(
      trx,
      project,
      answers.map(({ runId }) => runId)
    )
    const spoken = answers.flatMap((answer) => {
      const content = (outcomes.get(answer.runId)?.content ?? '').replaceAll('\u0000', '').trim()
      return content === '' || content === SILENCE ? [] : [{ answer, content: content.slice(0, MAX_CONTENT) }]
    })
    const delegations = await messageStore.listDelegations(
      trx,
      project,
      spoken.map(({ answer }) => answer.messageId)
    )
    const posted = await posting.postAll(
      trx,
      spoken.map(({ answer, content }) => ({
        by: agentOf(answer),
        row: rowOf(answer, content, delegations.get(answer.messageId) ?? null)
      }))
    )
    const taken = new Set(spoken.flatMap(({ answer }, index) => (posted[index] ? [answer.id] : [])))
    for (const answer of answers)
      await answerStore.settle(trx, answer, taken.has(answer.id) ? 'answered' : 'silent')
  }

  const worker: Worker = {
    concurrency: 8,
    retries: 20,
    work: (data) => {
      const { project, id } = data as { project: string; id: string }
      return begin(project, id)
    }
  }
  const cleanUp: Worker = {
    cron: '41 3 * * *',
    work: async () => void (await answerStore.removeOld(knex, new Date(Date.now() - KEEP_DAYS * 86_400_000)))
  }
  return { worker, cleanUp, ended }
}

/** What others say is from outside, but for the words of whom the agent serves. */
const wordsOf = (
  { authorName, authorType, authorId, content, delegation }: StoredMessage,
  served: string
): OrderedMessage => ({
  role: 'user',
  content:
    authorType === 'user' && authorId === served && delegation === null
      ? (content ?? '')
      : `${authorName}: ${content}`,
  untrusted: authorType !== 'user' || authorId !== served || delegation !== null
})

const rowOf = (answer: Answer, content: string, delegation: Delegation | null) => ({
  project: answer.project,
  id: newId('message'),
  owner: answer.owner,
  spaceId: answer.spaceId,
  subjectType: 'agent' as const,
  subjectId: answer.agentId,
  content,
  replyToId: answer.messageId,
  attachments: [],
  mentions: [],
  runId: answer.runId,
  rootId: answer.rootId,
  turn: answer.turn,
  key: `answer/${answer.id}`,
  // Who answers the answer does so as restricted.
  delegation
})

/** Whom facts name. */
const agentOf = ({ project, agentId, owner }: Answer): Principal => ({
  id: agentId,
  type: 'agent',
  project,
  owner,
  scopes: new Set(),
  narrowed: false,
  credential: ''
})
