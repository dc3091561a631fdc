// budget: 8 s, because terminals are programs that really run in a computer
// tier: whole
import { once } from 'node:events'
import t from 'tap'
import { WebSocket } from 'ws'
import { boot } from '../../../test/boot.ts'
import { noComputers } from '../../../test/computers.ts'
import { until } from '../../../test/packs/stage.ts'

const skip = await noComputers()
const { as, url, platform } = await boot(t, 'computers', { env: { COMPUTERS_TERMINALS: '2' } })
const ada = as('ada')
const eve = as('eve')

async function computer(owner = ada) {
  const { id } = await owner.agent()
  const of = (path = '') => `/v1/agents/${id}/computer${path}`
  await owner.put(of('/config'), { enabled: true, memoryMb: 256, storageMb: 32 })
  return of
}
/** What comes of an upgrade: a terminal, or why there is none. */
async function openTerminal(path: string, key?: string, at = url) {
  const headers = key ? { authorization: `Bearer ${key}` } : {}
  const socket = new WebSocket(at.replace('http', 'ws') + path, { headers })
  socket.on('error', () => undefined)
  let said = ''
  const told: Record<string, unknown>[] = []
  socket.on('message', (data, isBinary) => {
    if (isBinary) said += data
    else told.push(JSON.parse(String(data)))
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
  )
  const refused = new Promise<{ status: number | undefined; error: { code?: string } }>((resolve) =>
    socket.on('unexpected-response', async (_, reply) => {
      let body = ''
      for await (const bytes of reply) body += bytes
      resolve({ status: reply.statusCode, error: JSON.parse(body).error })
    })
  )
  const failure = await Promise.race([once(socket, 'open').then(() => undefined), refused])
  const type = (text: string) => socket.send(Buffer.from(text))
  const sees = (what: RegExp) =>
    until(
      async () => said,
      (text) => what.test(text)
    )
  return { socket, told, closed, failure, type, sees, all: () => said }
}

t.test('a shell of the computer, with a size, to its end', { skip }, async (t) => {
  const of = await computer()
  const it = await openTerminal(`${of('/terminal')}?columns=100&rows=30`, await ada.key())
  it.type('echo "size: $(stty size)"; cd /; pwd; test -t 0 && echo is a terminal\n')
  await it.sees(/size: 30 100[\s\S]*is a terminal/)
  it.socket.send('{"type":"resize","columns":120,"rows":40}')
  await until(
    async () => {
      it.type('echo "now: $(stty size)"\n')
      await new Promise((then) => setTimeout(then, 100))
      return it.all()
    },
    (text) => /now: 40 120/.test(text)
  )
  it.type('echo hush-hush; exit 3\n')
  t.match(await it.closed, { code: 1000, reason: 'ended' })
  t.match(it.told, [{ type: 'ended', exitCode: 3 }])
  const events = await until(
    async () => (await ada.get(of('/events'))).body.data,
    ([last]) => last.type === 'terminal_closed'
  )
  t.match(events, [{ reason: 'ended' }, { type: 'terminal_opened' }])
  t.notMatch(
    JSON.stringify(await platform.knex('computers.event')),
    /hush-hush/,
    'nothing that it said is kept'
  )
})

t.test('a ticket stands for a credential, once', { skip }, async (t) => {
  const of = await computer()
  const tickets = of('/terminal/tickets')
  t.equal((await eve.post(tickets)).status, 403)
  t.equal((await ada.post('/v1/agents/agent_nope/computer/terminal/tickets')).status, 404)
  const off = (await ada.agent()).id
  t.match(await ada.post(`/v1/agents/${off}/computer/terminal/tickets`), { status: 409 })
  t.match(await ada.post(tickets, { colour: 'red' }), { status: 400 })
  const { status, body } = await ada.post(tickets)
  t.equal(status, 201)
  const path = of(`/terminal/${body.data.ticket}`)
  const other = await computer()
  t.match(
    (await openTerminal(other(`/terminal/${body.data.ticket}`))).failure,
    { status: 401 },
    'of that computer'
  )
  const it = await openTerminal(path)
  t.equal(it.failure, undefined)
  t.match((await openTerminal(path)).failure, { status: 401 }, 'not twice')
  it.socket.close()
  await it.closed
  const late = (await ada.post(tickets)).body.data.ticket
  await platform.knex('computers.ticket').update({ createdAt: new Date(Date.now() - 60_000) })
  t.match((await openTerminal(of(`/terminal/${late}`))).failure, { status: 401 }, 'not late')
})

t.test('who may not run commands has no terminal, and nobody too many', { skip }, async (t) => {
  const of = await computer()
  const [key, evil] = [await ada.key(), await eve.key()]
  t.match((await openTerminal(of('/terminal'))).failure, { status: 401 })
  t.match((await openTerminal(of('/terminal'), evil)).failure, { status: 403 })
  t.match((await openTerminal('/v1/agents/agent_nope/computer/terminal', key)).failure, { status: 404 })
  t.match((await openTerminal(`${of('/terminal')}?rows=0`, key)).failure, { status: 400 })
  const two = [await openTerminal(of('/terminal'), key), await openTerminal(of('/terminal'), key)]
  t.match((await openTerminal(of('/terminal'), key)).failure, {
    status: 429,
    error: { code: 'terminals_open' }
  })
  two[0]?.socket.send('{"type":"dance"}')
  t.match(await two[0]?.closed, { code: 1008, reason: 'not_understood' })
  for (let n = 0; n < 20; n++) two[1]?.socket.send(Buffer.alloc(65_536, '#'))
  t.match(await two[1]?.closed, { code: 1008, reason: 'too_much' })
})

t.test('sleep ends them all', { skip }, async (t) => {
  const of = await computer()
  const it = await openTerminal(of('/terminal'), await ada.key())
  it.type('yes | head -c 3000000; echo done\n')
  await it.sees(/done\r\n/)
  await ada.post(of('/sleep'))
  t.match(await it.closed, { code: 1001, reason: 'computer_stopped' })
})

t.test('one in which nobody types is closed', { skip }, async (t) => {
  const hasty = await boot(t, 'computers', { env: { COMPUTERS_TERMINAL_IDLE_SECONDS: '1' } })
  const owner = hasty.as('ada')
  const of = await computer(owner)
  const idle = await openTerminal(of('/terminal'), await owner.key(), hasty.url)
  t.match(await idle.closed, { code: 1008, reason: 'idle' })
  await until(
    async () => (await owner.get(of('/events?type=terminal_closed'))).body.data,
    ([last]) => last?.reason === 'idle'
  )
})
