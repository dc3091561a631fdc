import type { EventInput, Kernel, Publication, Trx } from 'agent-platform'
import type { Member, StoredMember } from '../schemas/members.ts'
import type { Message, StoredMessage } from '../schemas/messages.ts'
import type { SpaceSettings } from '../settings.ts'

export type SpaceEvents = ReturnType<typeof createSpaceEvents>

/** Names the stream's id in each event. */
export const idField = 'spaceId'

/** The fleet of a space has an id of its own, made of the space's. */
export const fleetOf = (spaceId: string): string => `fleet_${spaceId.slice(spaceId.indexOf('_') + 1)}`
export const spaceOf = (fleetId: string): string => `space_${fleetId.slice(fleetId.indexOf('_') + 1)}`

/** What followers of a space get, in the transactions that make it true. */
export function createSpaceEvents({
  streams,
  settings: { keptEvents: keep }
}: Pick<Kernel, 'streams'> & { settings: SpaceSettings }) {
  const publications = (
    project: string,
    bySpace: ReadonlyMap<string, readonly EventInput[]>
  ): Publication[] => [...bySpace].map(([stream, events]) => ({ project, stream, idField, events, keep }))

  return {
    publish: (trx: Trx, project: string, spaceId: string, type: string, fields: object): Promise<void> =>
      streams.publish(trx, publications(project, new Map([[spaceId, [{ type, fields }]]]))),

    /** What followers of the fleet get. */
    publishFleet: (trx: Trx, project: string, spaceId: string, type: string, fields: object): Promise<void> =>
      streams.publish(trx, [
        { project, stream: fleetOf(spaceId), idField: 'fleetId', events: [{ type, fields }], keep }
      ]),

    /** Messages that were posted together, in the order in which they were given. */
    publishPosted: (trx: Trx, posted: readonly StoredMessage[]): Promise<void> =>
      streams.publish(
        trx,
        [...Map.groupBy(posted, ({ project }) => project)].flatMap(([project, those]) =>
          publications(
            project,
            new Map(
              [...Map.groupBy(those, ({ spaceId }) => spaceId)].map(([spaceId, messages]) => [
                spaceId,
                messages.map((message) => ({
                  type: 'message_posted',
                  fields: { message: messageOf(message) }
                }))
              ])
            )
          )
        )
      )
  }
}

/** A message as it is shown. */
export const messageOf = ({
  project: _,
  rootId: _r,
  turn: _t,
  key: _k,
  delegation: _d,
  ...message
}: StoredMessage): Message => message

/** A member as it is shown. */
export const memberOf = (
  { project: _, addedBy: _a, sessionId: _s, seenMessageId: _m, ...member }: StoredMember,
  isPresent: boolean
): Member => ({ ...member, isPresent })

/** A member as the stream tells of it: who is there now is told as it changes. */
export function toldOf(member: StoredMember): Omit<Member, 'isPresent'> {
  const { isPresent: _, ...told } = memberOf(member, false)
  return told
}

/** An event about a message that was deleted, without what it said. */
export function redacted(event: Record<string, unknown>): Record<string, unknown> {
  const { message } = event as { message?: Message }
  if (!message) return event
  return { ...event, message: { ...message, content: null, attachments: [], mentions: [] } }
}
