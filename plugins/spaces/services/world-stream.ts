import type { Kernel, Open, Principal } from 'agent-platform'
import type { FleetService } from './fleets.ts'
import type { WebSocket } from './web-socket.ts'
import { asksForWebSocket, closeCodes, openWebSocket } from './web-socket.ts'

interface Deps extends Pick<Kernel, 'streams' | 'log'> {
  fleetService: FleetService
}

const PING_MS = 15_000
/** How long a client may take nothing. */
const STALL_MS = 60_000
const statuses: Readonly<Record<string, readonly [number, string]>> = {
  notFound: [404, 'not_found'],
  forbidden: [403, 'permission_error']
}

/** The updates of a fleet over a WebSocket: an event a message, in order, behind `?after=`. */
export function createWorldStream({ streams, log, fleetService }: Deps) {
  async function serve(
    request: Parameters<Open>[0],
    socket: Parameters<Open>[1],
    head: Buffer,
    by: Principal,
    id: string
  ): Promise<void> {
    const asked = new URL(request.url ?? '/', 'http://platform').searchParams.get('after') ?? '-1'
    const refuse = (status: number, type: string, message: string, code?: string) => {
      const body = JSON.stringify({ error: { type, message, code } })
      const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`
      socket.end(`HTTP/1.1 ${status} Refused\r\n${headers}\r\n\r\n${body}`)
    }
    let entered: Awaited<ReturnType<FleetService['find']>>
    let first: number
    let last: number
    try {
      const { project } = (await fleetService.find(by, id)).space
      ;[first = 0, { last = -1 } = {}] = await Promise.all([
        streams.first(project, id),
        streams.state(project, id)
      ])
      // Once more: who was removed meanwhile may ask for what comes behind its removal.
      entered = await fleetService.find(by, id)
    } catch (error) {
      const { kind = '', message } = error as { kind?: string; message: string }
      const [status, type] = statuses[kind] ?? [500, 'api_error']
      if (status === 500) log.error({ error }, 'A fleet could not be followed')
      return refuse(status, type, status === 500 ? 'Internal error' : message)
    }
    if (!asksForWebSocket(request)) return refuse(400, 'invalid_request_error', 'That takes a WebSocket')
    if (!/^(-1|\d{1,9})$/.test(asked) || Number(asked) > last)
      return refuse(400, 'invalid_request_error', 'after must be the seq of an update, or -1')
    if (Number(asked) < first - 1)
      return refuse(410, 'not_found', `The updates up to ${first - 1} are not kept any more`, 'events_gone')
    if (socket.destroyed) return
    await follow(await openWebSocket(request, socket, head), {
      project: entered.space.project,
      id,
      after: Number(asked),
      memberId: entered.memberId
    })
  }

  async function follow(
    client: WebSocket,
    {
      project,
      id,
      after,
      memberId
    }: { project: string; id: string; after: number; memberId: string | undefined }
  ): Promise<void> {
    let sentAt = Date.now()
    let isSending = false
    const beat = setInterval(() => {
      if (isSending && Date.now() - sentAt > STALL_MS) client.close(closeCodes.policy, 'Too slow')
      else client.ping()
    }, PING_MS).unref()
    // The removal stands in the updates themselves: what came after it is not for this reader.
    const isLast = (event: string) =>
      memberId !== undefined &&
      /^\{"type":"(member_removed|agent_left)"/.test(event) &&
      event.includes(`"memberId":"${memberId}"`)
    try {
      for await (const body of streams.follow(project, id, after, client.left))
        for (const event of body.split('\n')) {
          isSending = true
          sentAt = Date.now()
          await client.send(event)
          isSending = false
          if (isLast(event)) return client.close(closeCodes.policy, 'No member of the space any more')
        }
      client.close(closeCodes.normal, 'The fleet is gone, or what came next is not kept any more')
    } finally {
      clearInterval(beat)
      client.close(closeCodes.goingAway)
    }
  }

  const open: Open = (request, socket, head, by, { id = '' }) => {
    serve(request, socket, head, by, id).catch((error) => {
      log.error({ error }, 'Updates of a fleet broke off')
      socket.destroy()
    })
  }
  return { open }
}
