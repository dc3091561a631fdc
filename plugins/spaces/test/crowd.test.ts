// budget: 20 s, because many follow what many say
// tier: long
import { once } from 'node:events'
import http from 'node:http'
import t from 'tap'
import { rounds } from '../../../test/rounds.ts'
import { join, makeSpace, say, town } from './testbed.ts'

const MESSAGES = rounds(500, 10_000)
const SUBSCRIBERS = rounds(60, 500)
const BROKEN = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])
t.setTimeout(rounds(300_000, 3_600_000))

t.test(
  `${MESSAGES} messages while ${SUBSCRIBERS} follow on two instances and one takes nothing`,
  async (t) => {
    const home = await town(t)
    const beside = await town(t, { beside: home })
    const ada = home.as('ada')
    const { id } = await makeSpace(ada)
    const people = await Promise.all(
      Array.from({ length: Math.ceil(SUBSCRIBERS / 8) }, async (_, n) => {
        const client = home.as(`person-${n}`)
        await join(ada, id, client.id)
        return client
      })
    )
    const agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY })
    t.teardown(() => agent.destroy())
    const open = async (n: number, after = -1) => {
      const client = people[n % people.length] as (typeof people)[number]
      const { url } = n % 2 ? home : beside
      const request = http.get(`${url}/v1/spaces/${id}/subscribe?after=${after}`, {
        agent,
        headers: { authorization: `Bearer ${await client.key()}` }
      })
      const [response] = (await once(request, 'response')) as [http.IncomingMessage]
      t.equal(response.statusCode, 200)
      // Thrown where it is read.
      request.on('error', () => undefined)
      return response.on('error', () => undefined)
    }
    const stalled = await open(0)
    stalled.pause()
    const responses = await Promise.all(Array.from({ length: SUBSCRIBERS - 1 }, (_, n) => open(n + 1)))
    let resumed = 0
    /** The events of a stream up to the last message: their numbers, without those that are not stored. */
    const seqsOf = async (first: http.IncomingMessage, n: number) => {
      const seqs: number[] = []
      for (let response = first; ; response = await open(n, seqs.at(-1))) {
        let text = ''
        response.setEncoding('utf8')
        try {
          for await (const piece of response) {
            text += piece
            const end = text.lastIndexOf('\n\n')
            if (end < 0) continue
            for (const [, seq] of text.slice(0, end + 2).matchAll(/^id: (\d+)$/gm)) seqs.push(Number(seq))
            if (text.includes('"content":"The last"')) return seqs
            text = text.slice(end + 2)
          }
        } catch (error) {
          if (!BROKEN.has(String((error as NodeJS.ErrnoException).code))) throw error
        }
        // Who takes nothing for a minute is let go, and comes again.
        resumed++
      }
    }
    const reading = Promise.all(responses.map((response, n) => seqsOf(response, n + 1)))
    const others = beside.as('ada')
    /** Again, where it is refused because readers and instances have one processor between them here. */
    const post = async (client: typeof ada, content: string) => {
      for (;;) {
        const { status, text } = await client.post(`/v1/spaces/${id}/messages`, { content })
        if (status === 201) return
        if (status !== 503) throw new Error(text)
      }
    }
    for (let from = 0; from < MESSAGES; from += 50)
      await Promise.all(
        Array.from({ length: Math.min(50, MESSAGES - from) }, (_, n) =>
          post(n % 2 ? ada : others, `Message ${from + n} ${'x'.repeat(200)}`)
        )
      )
    await say(ada, id, 'The last')
    const { seq } = (await ada.get(`/v1/spaces/${id}/full`)).body.data
    const wanted = Array.from({ length: seq + 1 }, (_, it) => it)
    const all = await reading
    t.equal(all.length, SUBSCRIBERS - 1)
    for (const seqs of all) t.strictSame(seqs, wanted)
    t.same(await seqsOf(stalled, 0), wanted, 'who took nothing is fed from the record, and misses nothing')
    t.comment(`${resumed} were let go and came again`)
    for (const response of [...responses, stalled]) response.destroy()
  }
)
