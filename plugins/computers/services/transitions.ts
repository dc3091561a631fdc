import type { Facts, Kernel, Principal, Trx } from 'agent-platform'
import type { ComputerEvent } from '../schemas/events.ts'
import type { ComputerRow, ComputerStore } from '../stores/computers.ts'

export type Transitions = ReturnType<typeof createTransitions>
/** Names the computer in each event of its stream. */
export const idField = 'computerId'
/** Latest events of a stream that stay. */
const KEPT = 10_000

/** What others are told about a computer. */
export interface AboutComputer {
  readonly id: string
  readonly agentId: string
  readonly state: ComputerRow['state']
  readonly reason: string | null
}
type Told = Extract<keyof Facts & string, `computers.${string}`>

/** What happens to computers: the row, the event, the stream and the fact are one change. */
export function createTransitions({
  transaction,
  facts,
  streams,
  principals,
  computerStore
}: Pick<Kernel, 'transaction' | 'facts' | 'streams' | 'principals'> & { computerStore: ComputerStore }) {
  /** A row of the record and an event of the stream, in that transaction. */
  async function note(trx: Trx, row: ComputerRow, type: ComputerEvent['type'], reason: string | null = null) {
    const { createdAt: at } = await computerStore.insertEvent(trx, row, type, reason)
    const { project, id: stream } = row
    const events = [{ type, fields: { reason, at: new Date(at).toISOString() } }]
    await streams.publish(trx, [{ project, stream, idField, events, keep: KEPT }])
  }

  const about = ({ id, agentId, state, reason }: ComputerRow): AboutComputer => ({
    id,
    agentId,
    state,
    reason
  })

  /** Tells other packs, as the one who asked, else as its owner; nobody where the owner was disabled. */
  async function tell(trx: Trx, by: Principal | undefined, name: Told, row: ComputerRow): Promise<void> {
    const actor = by ?? (await principals.of(row.project, row.owner))
    if (actor)
      await facts.record(trx, name, actor, {
        subject: row.agentId,
        owner: row.owner,
        data: about(row) as never
      })
  }

  return {
    note,
    tell,
    /** Its state is that from now on, with the event of that name. */
    enter: (
      row: ComputerRow,
      changes: Partial<ComputerRow> & Pick<ComputerRow, 'state'>,
      { by, fact }: { by?: Principal | undefined; fact?: Told } = {}
    ): Promise<ComputerRow> =>
      transaction(async (trx) => {
        const given = { reason: null, ...changes, changedAt: new Date().toISOString() }
        const next = await computerStore.update(trx, row, given)
        // It is gone with its agent.
        if (!next) return row
        await note(trx, next, next.state, next.reason)
        if (fact) await tell(trx, by, fact, next)
        return next
      })
  }
}
