import type { Kernel, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { StoredMember } from '../schemas/members.ts'
import type { StoredMessage } from '../schemas/messages.ts'
import type { SpaceSettings } from '../settings.ts'
import type { AnswerStore } from '../stores/answers.ts'

export type Answers = ReturnType<typeof createAnswers>

export const ANSWER_QUEUE = 'spaces.answer'

interface Deps extends Pick<Kernel, 'log'> {
  settings: SpaceSettings
  jobs: Jobs
  answerStore: AnswerStore
}

/** Which agents answer what is posted: ordered in the transaction of the message, so once, and within the caps. */
export function createAnswers({ settings, jobs, answerStore }: Deps) {
  async function orderAll(
    trx: Trx,
    posted: readonly StoredMessage[],
    named: ReadonlyMap<string, readonly StoredMember[]>
  ): Promise<void> {
    const due = posted.flatMap((message) =>
      message.turn < settings.agentTurns
        ? (named.get(message.spaceId) ?? [])
            .filter((member) => isDue(member, message))
            .map((member) => ({ message, member }))
        : []
    )
    for (const [project, those] of Map.groupBy(due, ({ message }) => message.project)) {
      const roots = [...new Set(those.map(({ message }) => message.rootId))]
      // The stream of the space is locked by now: no other transaction counts at the same time.
      const spent = await answerStore.countOfRoots(trx, project, roots)
      const within = those.filter(({ message: { rootId } }) => {
        const count = spent.get(rootId) ?? 0
        spent.set(rootId, count + 1)
        return count < settings.answersPerMessage
      })
      if (within.length === 0) continue
      const ids = await answerStore.insertAll(
        trx,
        within.map(({ message, member }) => ({
          project,
          id: newId('answer'),
          owner: member.addedBy,
          spaceId: message.spaceId,
          memberId: member.id,
          agentId: member.subjectId,
          messageId: message.id,
          rootId: message.rootId,
          turn: message.turn + 1,
          runId: newId('run')
        }))
      )
      for (const id of ids) await jobs.send(ANSWER_QUEUE, { project, id }, { trx })
    }
  }

  return { orderAll }
}

const isDue = ({ id, answers }: StoredMember, { memberId, mentions }: StoredMessage): boolean =>
  id !== memberId && (answers === 'always' || (answers === 'mentioned' && mentions.includes(id)))
