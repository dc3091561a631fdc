// budget: 20 s, because instances are killed, each a process of its own
// tier: whole
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'
import { rounds } from '../../../test/rounds.ts'
import { follow, local, make, makeSpace } from './testbed.ts'

const KILLS = rounds(2, 25)
const POSTS = 30
t.setTimeout(rounds(300_000, 3_600_000))
/** More is asked of the agents than people would ask in a minute. */
const env = { SPACES_ANSWERS_PER_MINUTE: '10000' }
const packs = ['access', 'packs', 'agents', 'outgoing', 'models', 'sessions', 'runs', 'spaces']
/** Jobs of an instance that is gone are soon taken over. */
const quick = { pollSeconds: 0.1, cronSeconds: 1, lostAfterSeconds: 3, drainSeconds: 1 }
const deployment = {
  enabled: false,
  packs: {
    ...Object.fromEntries(packs.map((name) => [name, { enabled: true }])),
    jobs: { enabled: true, settings: quick }
  }
}

t.test(
  `kill -9 while people post and agents answer, ${KILLS} times: nothing lost, nothing twice`,
  async (t) => {
    const booted = await boot(t, { packs: [...packs, 'jobs'], deployment, env })
    const { knex } = booted.platform
    const ada = booted.as('ada')
    const { id } = await makeSpace(ada)
    for (const name of ['Pilot', 'Mate']) {
      const agent = await ada.agent({ ...local, name })
      await make(ada, `/v1/spaces/${id}/members`, { subjectType: 'agent', subjectId: agent.id })
    }
    const reader = await follow(t, booted.url, ada, id)
    const seen: { seq: number; id: string | undefined; replyToId: string | null | undefined }[] = []
    let asked = 0
    let posted = 0
    for (let kill = 1; kill <= KILLS; kill++) {
      const victim = await startPlatform(t, booted.connection, [], [...packs, 'jobs'], env)
      await victim.ready
      const there = createClient(victim.url, 'ada', await ada.key())
      const path = `/v1/spaces/${id}/messages`
      // Those whose reply was lost are asked for again under their keys, here: done now, or said to have been done.
      const posts = Array.from({ length: POSTS }, async (_, n) => {
        const headers = { 'idempotency-key': `kill-${kill}-${n}` }
        const content = n % 10 === 0 ? '@Pilot @Mate\n/wait 5\n/repeat 20 word' : `Message ${kill}.${n}`
        if (n % 10 === 0) asked++
        const first = await there.post(path, { content }, headers).catch(() => undefined)
        await until(
          async () => (first?.status === 201 ? first : ada.post(path, { content }, headers)),
          ({ status, body }) => status === 201 || body?.error.code === 'idempotency_outcome_unknown'
        )
        posted++
      })
      await until(
        async () => posted,
        (n) => n > (kill - 1) * POSTS + POSTS / 3
      )
      await victim.kill()
      await Promise.all(posts)
    }
    await until(
      async () => {
        await booted.settled()
        return knex('spaces.answer').whereIn('status', ['ordered', 'begun'])
      },
      ({ length }) => length === 0
    )
    const last = (await ada.get(`/v1/spaces/${id}/full`)).body.data.seq
    while ((seen.at(-1)?.seq ?? -1) < last) {
      const { seq, message } = await reader.until(
        ({ type }) => !['keepalive', 'presence', 'typing'].includes(type)
      )
      seen.push({ seq, id: message?.id, replyToId: message?.replyToId })
    }
    t.same(
      seen.map(({ seq }) => seq),
      Array.from({ length: last + 1 }, (_, seq) => seq),
      'no event is missing or twice'
    )
    const inStream = seen.flatMap((it) => it.id ?? [])
    const inTable = await knex('spaces.message').where({ spaceId: id }).pluck('id')
    t.same(inStream.toSorted(), inTable.toSorted(), 'each message is in the stream once')
    t.equal(inTable.length, KILLS * POSTS + 2 * asked, 'each agent answered each of what was asked once')
    const ends = await knex('spaces.answer')
      .where({ spaceId: id })
      .groupBy('status', 'code')
      .select('status', 'code')
      .count('* as n')
    t.same(ends, [{ status: 'answered', code: null, n: String(2 * asked) }])
  }
)
