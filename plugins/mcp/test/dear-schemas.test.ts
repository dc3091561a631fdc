// budget: 8 s, because schemas are examined until they are given up
// tier: long
import t from 'tap'
import { heldBy, longestTurn, longestTurnMs } from '../../../test/turns.ts'
import { dearTools } from './dear-schemas-fixture.ts'
import { roughServer } from './rubbish-fixture.ts'
import { register, stage } from './testbed.ts'

t.test('a server with dear schemas costs its owner time, and no other caller', async (t) => {
  const booted = await stage(t, { env: { MCP_CONNECT_SECONDS: '3' } })
  const ada = booted.as('ada')
  const eve = booted.as('eve', { project: 'elsewhere' })
  const { url } = await roughServer(t, { 'tools/list': dearTools })
  const { id } = await register(ada, { url })
  const path = `/v1/mcp/servers/${id}`

  const held: number[] = []
  const memory = process.memoryUsage().rss
  let isOver = false
  const begun = performance.now()
  const connected = ada.post(`${path}/connect`).finally(() => (isOver = true))
  const others = (async () => {
    for (let n = 0; !isOver; n++) {
      const config = { method: 'GET', url: 'https://api.example.com/' }
      const made = await eve.post('/v1/tools', { name: `quick${n}`, description: 'Quick', config })
      t.equal(made.status, 201)
      held.push(await heldBy(booted))
    }
  })()
  const { alone } = await longestTurn(connected)
  await others
  t.ok(alone < longestTurnMs(), `${alone.toFixed(1)} ms at a time`)
  t.ok(Math.max(...held) < 2, `a transaction was idle for ${Math.max(...held)} s`)
  t.ok(process.memoryUsage().rss - memory < 300_000_000)
  t.match(await connected, { status: 200, body: { data: { status: 'connected' } } })
  t.ok(performance.now() - begun < 60_000)
  const { body } = await ada.get(`${path}/status`)
  t.ok(body.data.tools < 80, `${body.data.tools} of 512 tools fit`)
})
