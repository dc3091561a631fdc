// budget: 6 s, because agents run while they are followed, on two instances
import { once } from 'node:events'
import net from 'node:net'
import t from 'tap'
import { WebSocket } from 'undici'
import type { Client } from '../../../test/client.ts'
import type { SpaceEvent } from './testbed.ts'
import { join, local, make, makeSpace, town } from './testbed.ts'

const booted = await town(t)
const beside = await town(t, { beside: booted })
const { as } = booted
const [ada, bob, eve] = [as('ada'), as('bob'), as('eve')]
const refuses = (status: number, code?: string, param?: string) => ({
  status,
  body: { error: { ...(code && { code }), ...(param && { param }) } }
})

async function fleet(names: readonly string[]) {
  const { id, fleetId } = await makeSpace(ada, { name: 'Harbour' })
  const agents: { id: string }[] = []
  for (const name of names) {
    const agent = await ada.agent({ ...local, name })
    await make(ada, `/v1/spaces/${id}/members`, { subjectType: 'agent', subjectId: agent.id })
    agents.push(agent)
  }
  return { id, fleetId, agents }
}

/** The updates of a fleet, in the order in which they come. */
async function watch(url: string, client: Client, fleetId: string, after = -1) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/fleets/${fleetId}/stream?after=${after}`, {
    headers: { authorization: `Bearer ${await client.key()}` }
  })
  t.teardown(() => socket.close())
  const events: SpaceEvent[] = []
  const came = new EventTarget()
  const closed = once(socket, 'close') as Promise<[{ code: number; reason: string }]>
  socket.addEventListener('message', ({ data }) => {
    events.push(JSON.parse(String(data)))
    came.dispatchEvent(new Event('one'))
  })
  await once(socket, 'open')
  async function until(is: (event: SpaceEvent) => boolean): Promise<SpaceEvent> {
    for (;;) {
      const found = events.find(is)
      if (found) return found
      await once(came, 'one')
    }
  }
  return { socket, events, until, closed }
}

t.test(
  'the world of a fleet is what its agents do, and its updates come in order, on any instance',
  async (t) => {
    const { id, fleetId, agents } = await fleet(['Pilot', 'Mate'])
    const [pilot, mate] = agents as [{ id: string }, { id: string }]
    const [here, there] = [await watch(booted.url, ada, fleetId), await watch(beside.url, ada, fleetId)]
    const run = { agentId: pilot.id, messages: [{ role: 'user', content: '/say Aye' }] }
    t.match(await ada.post('/v1/agents/run', run), { status: 200 })
    await ada.post('/events', {
      fleetId,
      agentId: mate.id,
      type: 'arrived',
      place: 'Pier 4',
      data: { depth: 7 }
    })
    const isFree = ({ type, isBusy }: SpaceEvent) => type === 'agent_updated' && !isBusy
    for (const { until } of [here, there]) {
      t.match(await until(({ type, isBusy }) => type === 'agent_updated' && isBusy), { agentId: pilot.id })
      await until(isFree)
      t.match(await until(({ type }) => type === 'agent_reported'), {
        agentId: mate.id,
        event: { type: 'arrived', place: 'Pier 4', data: { depth: 7 } }
      })
    }
    const world = (await ada.get(`/fleets/${fleetId}/world`)).body.data
    t.match(world, {
      id: fleetId,
      spaceId: id,
      name: 'Harbour',
      seq: here.events.length - 1,
      agents: [
        { agentId: pilot.id, name: 'Pilot', isBusy: false, runIds: [], place: null },
        { agentId: mate.id, name: 'Mate', isBusy: false, place: 'Pier 4', reportedAt: String }
      ]
    })
    t.same(
      here.events.map(({ seq }) => seq),
      here.events.map((_, index) => index)
    )
    t.same(there.events, here.events)
    const resumed = await watch(beside.url, ada, fleetId, 2)
    await resumed.until(({ seq }) => seq === world.seq)
    t.same(resumed.events, here.events.slice(3))
  }
)

t.test('peers are the others of the fleet, the preferred ones first', async (t) => {
  const { fleetId, agents } = await fleet(['One', 'Two', 'Three'])
  const [one, , three] = agents as [{ id: string }, { id: string }, { id: string }]
  await make(ada, `/v1/agents/${one.id}/preferred-connections`, { peerAgentId: three.id })
  const path = `/fleets/${fleetId}/peers`
  const itself = as(one.id, { type: 'agent', owner: 'ada' })
  const own = (await itself.get(path)).body.data
  t.match(own, [
    { name: 'Three', isPreferred: true },
    { name: 'Two', isPreferred: false }
  ])
  const page = (await ada.get(`${path}?agentId=${one.id}&limit=1`)).body
  t.equal(page.data.length, 1)
  t.equal((await ada.get(`${path}?agentId=${one.id}&cursor=${page.nextCursor}`)).body.data.length, 1)
  t.equal((await ada.get(path)).body.data.length, 3)
  t.match(await ada.get(`${path}?agentId=agent_nope`), refuses(404, undefined, 'agentId'))
  t.match(await ada.get(`${path}?cursor=x`), refuses(400, undefined, 'cursor'))
  t.match(await eve.get(path), refuses(403))
  t.match(await ada.get('/fleets/fleet_nope/peers'), refuses(404))
})

t.test('an event is told by the agent, who brought it, or an admin', async (t) => {
  const { id, fleetId, agents } = await fleet(['Pilot'])
  const agentId = (agents[0] as { id: string }).id
  await join(ada, id, 'bob')
  const event = { fleetId, agentId, type: 'moved' }
  t.match(
    await as(agentId, { type: 'agent', owner: 'ada' }).post('/events', { ...event, note: 'Sounding' }),
    {
      status: 201
    }
  )
  t.match((await bob.get(`/fleets/${fleetId}/world`)).body.data.agents, [{ note: 'Sounding', place: null }])
  t.match(await bob.post('/events', event), refuses(403, 'not_granted', '/agentId'))
  t.match(await eve.post('/events', event), refuses(403, 'not_member', '/fleetId'))
  t.match(await ada.post('/events', { ...event, fleetId: 'fleet_nope' }), refuses(404, undefined, '/fleetId'))
  t.match(await ada.post('/events', { ...event, fleetId: id }), refuses(404, undefined, '/fleetId'))
  t.match(await ada.post('/events', { ...event, agentId: 'agent_nope' }), refuses(404, undefined, '/agentId'))
  for (const [wrong, param] of [
    [{ type: 'Moved!' }, '/type'],
    [{ place: 5 }, '/place'],
    [{ data: { deep: { er: 1 } } }, '/data/deep'],
    [{ unheard: 1 }, '/unheard']
  ] as const)
    t.match(await ada.post('/events', { ...event, ...wrong }), refuses(400, undefined, param), param)
  t.match(await booted.anyone.post('/events', event), refuses(401))
  t.match(await booted.anyone.get(`/fleets/${fleetId}/world`), refuses(401))
  t.match(await eve.get(`/fleets/${fleetId}/world`), refuses(403, 'not_member'))
  t.match(await ada.get('/fleets/nope/world'), refuses(404))
})

t.test('nobody follows a fleet who does not belong', async (t) => {
  const { id, fleetId, agents } = await fleet(['Pilot'])
  const { id: memberId } = await join(ada, id, 'bob')
  const upgrade = async (client: Client | undefined, path: string, headers: Record<string, string> = {}) => {
    const { hostname, port } = new URL(booted.url)
    const socket = net.connect(Number(port), hostname)
    t.teardown(() => socket.destroy())
    const sent = {
      Host: 'localhost',
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...(client && { Authorization: `Bearer ${await client.key()}` }),
      ...headers
    }
    socket.write(
      `GET ${path} HTTP/1.1\r\n${Object.entries(sent)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`
    )
    const [reply] = await once(socket, 'data')
    return { socket, status: Number(/^HTTP\/1.1 (\d+)/.exec(String(reply))?.[1]), reply: String(reply) }
  }
  const path = `/fleets/${fleetId}/stream`
  t.equal((await upgrade(undefined, path)).status, 401)
  t.equal((await upgrade(eve, path)).status, 403)
  t.equal((await upgrade(ada, '/fleets/fleet_nope/stream')).status, 404)
  t.equal((await upgrade(ada, `${path}?after=1000`)).status, 400)
  t.equal((await upgrade(ada, `${path}?after=x`)).status, 400)
  // As it is when more was told than is kept.
  await booted.platform.knex('kernel.stream_chunk').where({ stream: fleetId, seq: 0 }).delete()
  const old = await upgrade(ada, path)
  t.equal(old.status, 410)
  t.match(old.reply, /"events_gone"/)
  t.equal((await upgrade(ada, `${path}?after=0`, { 'Sec-WebSocket-Version': '8' })).status, 400)
  const good = await upgrade(ada, `${path}?after=0`)
  t.match(good.reply, /^HTTP\/1.1 101 .*\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/s)
  // A frame without a mask breaks the protocol: the socket is closed with 1002.
  good.socket.write(Buffer.from([0x81, 0x01, 0x41]))
  await once(good.socket, 'end')
  const large = await upgrade(ada, `${path}?after=0`)
  large.socket.write(Buffer.from([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0]))
  await once(large.socket, 'end')

  const watching = await watch(booted.url, bob, fleetId, 0)
  await watching.until(({ type }) => type === 'agent_joined')
  await ada.delete(`/v1/spaces/${id}/members/${memberId}`)
  await ada.post('/events', { fleetId, agentId: agents[0]?.id, type: 'secret' })
  const [{ code }] = await watching.closed
  t.equal(code, 1008)
  t.equal(watching.events.at(-1)?.type, 'member_removed', 'and nothing behind it')
  const last = await watch(beside.url, ada, fleetId, 0)
  await last.until(({ type }) => type === 'agent_reported')
  await ada.delete(`/v1/spaces/${id}`)
  t.equal((await last.closed)[0].code, 1000)
})
