// budget: 8 s, because each flood is sent to its end or to the limit
// tier: long
import type { Test } from 'tap'
import t from 'tap'
import { heldBy, inShortTurns, longestTurn, longestTurnMs } from '../../../test/turns.ts'
import { flood, floods } from './floods-fixture.ts'
import { result, roughServer, sseServer, stream } from './rubbish-fixture.ts'
import { program } from './stdio-fixture.ts'
import { connect, direct, stage } from './testbed.ts'
import { echo, json, toolServer } from './tool-server-fixture.ts'

const FEW = ['pings', 'progress', 'logs']

/** How long another caller waits while that goes on: milliseconds, sorted. */
async function waits(ask: () => Promise<unknown>, isOver: () => boolean, least: number): Promise<number[]> {
  const all: number[] = []
  while (!isOver() || all.length < least) {
    const begun = performance.now()
    await ask()
    all.push(performance.now() - begun)
  }
  return all.sort((a, b) => a - b)
}
const p99 = (all: readonly number[]): number => all[Math.ceil(all.length * 0.99) - 1] ?? 0

interface Flooding {
  begin(way: string): void
  counted(): number
  readonly ways?: readonly string[]
}

t.test('a flood costs its own call, and no other caller', async (t) => {
  const booted = await stage(t, {
    env: {
      MCP_CALL_SECONDS: '3',
      MCP_SAMPLING: 'true',
      MCP_COMMANDS: JSON.stringify({ local: [process.execPath, program, '{[a-z]+}'] })
    }
  })
  const ada = booted.as('ada')
  const eve = booted.as('eve', { project: 'elsewhere' })
  const ask = () => eve.get('/v1/agents?limit=1')
  await waits(ask, () => true, 50)
  const calm = waits(ask, () => true, 200)
  const most = Math.max(longestTurnMs(), 3 * (await longestTurn(calm)).whole)
  const quiet = p99(await calm)

  /** Every flood, one after the other, as the answer to a call; `counted` are the answers that the server got. */
  async function flooded(
    t: Test,
    call: () => Promise<unknown>,
    { begin, counted, ways = Object.keys(floods) }: Flooding
  ) {
    let isOver = false
    const others = waits(ask, () => isOver, 100)
    const memory = process.memoryUsage().rss
    const held: number[] = []
    for (const way of ways) {
      begin(way)
      const failed = call().then(
        (it) => JSON.stringify(it),
        ({ kind }) => kind
      )
      const { whole, alone } = await longestTurn(failed)
      t.match(await failed, /^upstream/, way)
      t.ok(alone < longestTurnMs(), `${alone.toFixed(1)} ms at a time are spent on ${way}`)
      t.ok(whole < most, `${whole.toFixed(1)} ms with what is left to collect of them`)
      held.push(await heldBy(booted))
    }
    begin('')
    isOver = true
    const wait = p99(await others)
    t.ok(wait < Math.max(100, 20 * quiet), `others: p99 ${wait.toFixed(1)} ms, quiet ${quiet.toFixed(1)} ms`)
    t.ok(process.memoryUsage().rss - memory < 300_000_000)
    t.ok(Math.max(...held) < 2, `a transaction was idle for ${Math.max(...held)} s`)
    t.ok(counted() <= 40 * ways.length, `${counted()} answers to all of them`)
    t.match(JSON.stringify(await call()), /hi/, 'and it is as well as before')
  }
  const isAnswer = ({ body }: { readonly body: string }) => /"(result|error)":/.test(body)

  for (const era of ['legacy', 'modern'] as const)
    t.test(`in a reply of the ${era} protocol`, async (t) => {
      let message: object | undefined
      const server = await toolServer(t, era, echo, {
        admit(seen, reply) {
          if (!message || JSON.parse(seen.body || '{}').method !== 'tools/call') return true
          void flood(stream(reply), message)
          return false
        }
      })
      const { tools } = await connect(ada, { url: server.url })
      const call = direct(booted, tools)
      await flooded(t, () => call('echo', { message: 'hi' }), {
        begin: (way) => (message = floods[way]),
        counted: () => server.seen.filter(isAnswer).length
      })
    })

  t.test('on the stream of the oldest transport', async (t) => {
    let message: object | undefined
    const server = await sseServer(t, (reply, answer) => {
      if (message) void flood(reply, message)
      else answer({ content: [{ type: 'text', text: 'hi' }] })
    })
    const { tools } = await connect(ada, { url: server.url, transport: 'sse' })
    const call = direct(booted, tools)
    await flooded(t, () => call('go'), {
      ways: FEW,
      begin: (way) => (message = floods[way]),
      counted: () => server.seen.filter(isAnswer).length
    })
  })

  t.test('from a process', async (t) => {
    let way = ''
    const fields = { name: 'local', transport: 'stdio', command: 'local', args: ['good'] }
    const { tools } = await connect(ada, fields)
    const call = direct(booted, tools)
    await flooded(t, () => (way === '' ? call('hi') : call('flood', floods[way])), {
      ways: FEW,
      begin: (it) => (way = it),
      counted: () => 0
    })
  })

  t.test('of messages in one', async (t) => {
    const { url, seen } = await roughServer(t, {
      'tools/call': (reply) => json(reply, 200, Array(40_000).fill({ jsonrpc: '2.0', ...floods.pings }))
    })
    const { tools } = await connect(ada, { url })
    t.match(await direct(booted, tools)('go').catch(({ kind }) => kind), 'upstream')
    t.notOk(seen.some(isAnswer))
  })

  t.test('of characters in one result, from a server that is shown a key', async (t) => {
    const value = 'sk-live-0123456789-abcdefghij'
    const text = `\\u0041&#65;%41${value}`
    const body = (id: unknown) => {
      const structuredContent = { text: text.repeat(Math.floor(3_500_000 / text.length)) }
      return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [], structuredContent } }))
    }
    const large = body(0)
    const { url, host } = await roughServer(t, {
      'tools/call': (reply, { id }) => {
        // Made before, since this is the same thread.
        const at = large.indexOf('"id":0') + 5
        const whole = Buffer.concat([large.subarray(0, at), Buffer.from(String(id)), large.subarray(at + 1)])
        reply.writeHead(200, { 'content-type': 'application/json' }).end(whole)
      }
    })
    const key = (await ada.post('/v1/tool-keys', { name: 'k', value, allowedHosts: [host] })).body.data
    const { tools } = await connect(ada, { url, auth: { type: 'key', keyId: key.id } })
    const call = direct(booted, tools)
    const { output } = (await inShortTurns(t, () => call('go'))) as { output: { text: string } }
    t.ok(output.text.length > 1_000_000)
    t.notOk(output.text.includes(value))
  })

  t.test('of parts in one result', async (t) => {
    const parts = Array(5_000).fill({ type: 'nonsense', text: 'x' })
    const { url } = await roughServer(t, {
      'tools/call': (reply, message) => result(reply, message, { content: parts })
    })
    const { tools } = await connect(ada, { url })
    const failed = await inShortTurns(t, () => direct(booted, tools)('go'))
    t.match(failed, { isError: true, output: /more than 2000 parts/ })
  })
})
