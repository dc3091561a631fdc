// tier: whole
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:http'
import t from 'tap'
import { faultsOf } from './runs/account.ts'
import { town } from './runs/town.ts'

const CLIENTS = 20

t.test('an instance takes the place of another one: nothing is lost', async (t) => {
  const place = await town(t)
  const old = await place.serve()
  const authorization = `Bearer ${await place.client.key()}`
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const answered = { old: 0, next: 0 }
  const faults: string[] = []
  let next: typeof old | undefined
  let over = false

  /** The reply, or why the connection could not be made: then nothing was asked. */
  async function ask(url: string): Promise<number | 'refused'> {
    const asking = request(`${url}/v1/agents?limit=1`, { agent, headers: { authorization } }).end()
    try {
      const [response] = (await once(asking, 'response')) as [IncomingMessage]
      for await (const _ of response);
      return response.statusCode ?? 0
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException
      if (code === 'ECONNREFUSED' && syscall === 'connect') return 'refused'
      throw error
    }
  }
  /** Asks the old one for as long as it is there, as a proxy with two servers behind it does. */
  async function loop() {
    for (let at: 'old' | 'next' = 'old'; !over; ) {
      const reply = await ask((at === 'old' || !next ? old : next).url).catch((error) => String(error))
      if (reply === 200) answered[at]++
      else if (reply === 'refused' && at === 'old' && next) at = 'next'
      else faults.push(`${at}: ${reply}`)
    }
  }
  const until = async (is: () => boolean) => {
    while (!is()) await ask(place.url)
  }

  const looping = Array.from({ length: CLIENTS }, loop)
  const told = place.story({ words: 150, pace: 10 })
  await until(() => answered.old > 5 * CLIENTS)
  next = await place.serve()
  const { client } = place.at(next.url)
  t.match(await client.get('/health/ready'), { status: 200 }, 'the new one is ready')
  const run = await place.begin(old, told, {}, { elsewhere: next })
  await run.reader.until(({ type }) => type === 'token')

  const exited = once(old.child, 'exit')
  old.child.kill('SIGTERM')
  t.same(await exited, [0, null])
  await until(() => answered.next > 5 * CLIENTS)
  over = true
  await Promise.all(looping)
  t.same(faults, [], `${answered.old} requests at the old one, ${answered.next} at the new one`)
  t.same(await faultsOf(place, run), [])
  t.equal(run.reader.resumed, 1, 'the run went on, and so did its reader')
  t.match(await client.get(`/v1/agents/runs/${run.id}`), { body: { data: { status: 'completed' } } })
})
