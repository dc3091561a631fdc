// tier: whole
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import http from 'node:http'
import t from 'tap'
import { faultsOf } from './account.ts'
import type { Place } from './place.ts'
import { read } from './reader.ts'
import { town } from './town.ts'

/** Seven million characters on the wire: more than the buffers of a connection take. */
const much = { words: 12_000, bulk: 300, pace: 0 }

t.test('a reader that takes nothing holds up nobody, and misses nothing', async (t) => {
  const place = await town(t, { env: { RUN_MAX_CHARACTERS: '10000000' } })
  const other = await place.beside()
  const run = await place.begin(place, place.story({ ...much, calls: [] }))

  /** Follows the run, and takes nothing of it yet. */
  async function stall({ url, client }: Place): Promise<IncomingMessage> {
    const headers = { authorization: `Bearer ${await client.key()}` }
    const sent = http.get(`${url}/v1/agents/runs/${run.id}/stream`, { headers, agent: false })
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return response.setEncoding('utf8')
  }
  const stalled = await Promise.all([stall(place), stall(other), stall(other)])
  t.same(await faultsOf(place, run), [])
  const [patient, ...leaving] = stalled as [IncomingMessage, ...IncomingMessage[]]

  t.test('one takes it all after the end', async (t) => {
    let text = ''
    for await (const piece of patient) text += piece
    t.same(linesOf(text), run.reader.lines)
  })

  t.test('others leave, and come back elsewhere', async (t) => {
    for (const response of leaving) {
      let text = ''
      response.on('error', () => undefined)
      for await (const piece of response) {
        text += piece
        if (linesOf(text).length > 3) break
      }
      const lines = linesOf(text)
      t.ok(lines.length < run.reader.lines.length, 'in the middle')
      const rest = await read(t, place, { runId: run.id, after: lines.length - 1 })
      await rest.over
      t.same([...lines, ...rest.lines], run.reader.lines)
    }
  })
})

/** What of a stream's text came whole. */
const linesOf = (text: string) => [...text.matchAll(/^data: (.+)\n\n/gm)].map(([, line]) => line as string)
