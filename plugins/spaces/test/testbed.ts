import type { Booted } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import type { Connected } from '../../../test/frames.ts'
import { connect, eventOf } from '../../../test/frames.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** The built-in model, which does what it is told. */
export const local = { modelProvider: 'local' }

/** A platform with spaces. */
export const town = (t: Scope, options: Parameters<typeof boot>[2] = {}): Promise<Booted> =>
  boot(t, 'spaces', 'models', 'files', 'extraction', options as object)

/** Asserts that it was made; what was made. */
export async function make(client: Client, path: string, body: object) {
  const reply = await client.post(path, body)
  if (reply.status !== 201) throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.body.data
}

export const makeSpace = (client: Client, fields: object = {}) =>
  make(client, '/v1/spaces', { name: 'Harbour', ...fields })
export const join = (owner: Client, spaceId: string, subjectId: string, fields: object = {}) =>
  make(owner, `/v1/spaces/${spaceId}/members`, { subjectType: 'user', subjectId, ...fields })
export const say = (client: Client, spaceId: string, content: string, fields: object = {}) =>
  make(client, `/v1/spaces/${spaceId}/messages`, { content, ...fields })

/** An event of a space as its followers get it. */
export interface SpaceEvent {
  readonly type: string
  readonly seq: number
  readonly spaceId: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every type
  readonly [field: string]: any
}

/** Follows a space: the next event that is so, whatever comes before it. */
export async function follow(t: Scope, url: string, client: Client, spaceId: string, query = '') {
  const headers = { authorization: `Bearer ${await client.key()}` }
  const connected: Connected = await connect(`${url}/v1/spaces/${spaceId}/subscribe${query}`, { headers })
  t.teardown(connected.close)
  const next = async (): Promise<SpaceEvent | undefined> => {
    const frame = await connected.frame()
    return frame === undefined ? undefined : (eventOf(frame) as unknown as SpaceEvent)
  }
  async function until(is: (event: SpaceEvent) => boolean): Promise<SpaceEvent> {
    for (;;) {
      const event = await next()
      if (!event) throw new Error('The stream ended before')
      if (is(event)) return event
    }
  }
  return { ...connected, next, until }
}
