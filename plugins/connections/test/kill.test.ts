// budget: 12 s, because instances are killed, processes of their own
// tier: whole
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import t from 'tap'
import type { Asked } from '../../../test/loopback.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { connected, direct, provider, stage } from './testbed.ts'

t.setTimeout(240_000)

/** Its answers lie in a pile until the instance that asked is gone. */
function hold(there: Awaited<ReturnType<typeof provider>>) {
  const { promise: held, resolve } = Promise.withResolvers<{ reply: ServerResponse; asked: Asked }>()
  there.state.answers['/token'] = (reply, asked) => {
    there.state.answers = {}
    resolve({ reply, asked })
  }
  return held
}

t.test('kill -9 in the middle of a renewal, of a provider whose refresh tokens are good once', async (t) => {
  const there = await provider(t)
  const booted = await stage(t, [there.settings()])
  const { connection, platform } = booted
  const ada = booted.as('ada')
  const authorization = `Bearer ${await ada.key()}`
  const here = direct(booted)
  const asked = () => there.at('/token').length
  const row = (id: string) => platform.knex('connections.connection').where({ id }).first()
  const env = { OUTGOING_ALLOW: '127.0.0.1', OAUTH_PROVIDERS: JSON.stringify([there.settings()]) }
  const start = async () => {
    const started = await startPlatform(t, connection, [], ['outgoing', 'connections'], env)
    await started.ready
    return started
  }

  /** An instance that begins a renewal, and is killed before the answer comes to it. */
  async function cutOff(meanwhile: (renewal: Awaited<ReturnType<typeof hold>>) => unknown = () => {}) {
    const victim = await start()
    const { id, path } = await connected(ada, there)
    const [before, held] = [asked(), hold(there)]
    const renewing = fetch(`${victim.url}${path}/refresh`, { method: 'POST', headers: { authorization } })
    renewing.catch(() => undefined)
    const renewal = await held
    t.equal(typeof (await row(id)).refreshingBy, 'number', 'it has the lease')
    await meanwhile(renewal)
    const gone = once(renewal.reply, 'close')
    await victim.kill()
    await gone
    await t.rejects(renewing)
    await platform
      .knex('connections.connection')
      .where({ id })
      .update({ expiresAt: new Date(Date.now() - 1_000) })
    await here.forgotten(id)
    t.equal(asked(), before + 1)
    return { id, path, before }
  }
  const callers = (id: string) => Array.from({ length: 200 }, () => here.open(id))

  t.test(
    'before the provider did anything: it works again, by one more request for 200 callers',
    async (t) => {
      const { id, before } = await cutOff()
      const begun = performance.now()
      const opened = await Promise.all(callers(id))
      t.equal(new Set(opened.map(({ material }) => material.accessToken)).size, 1)
      t.ok(there.isValid(opened[0]?.material.accessToken ?? ''))
      t.equal(asked(), before + 2)
      t.ok(performance.now() - begun < 15_000, 'the lease of the dead is not waited for to its end')
      t.match(await row(id), { status: 'active', refreshingBy: null, refreshingUntil: null })
    }
  )

  t.test('after it: the connection is expired, says why, and asks no more', async (t) => {
    // It gave the next tokens, and nobody got them.
    const { id, path, before } = await cutOff(({ asked }) =>
      there.exchange(asked) ? undefined : t.fail('it was not renewed')
    )
    const outcomes = await Promise.allSettled(callers(id))
    for (const outcome of outcomes)
      if (outcome.status === 'fulfilled' || outcome.reason.code !== 'connection_expired')
        t.fail(`expected it to be expired: ${JSON.stringify(outcome)}`)
    t.equal(asked(), before + 2, 'once more, for providers that allow for lost answers')
    t.match((await ada.get(path)).body.data, {
      status: 'expired',
      statusReason: /stopped while it renewed the token.*connect again/
    })
    await Promise.allSettled([...callers(id), ada.post(`${path}/refresh`)])
    t.match(await ada.get(`${path}/test`), { status: 409, body: { error: { code: 'connection_expired' } } })
    t.equal(asked(), before + 2, 'nobody asks in vain')
    await booted.settled()
    const facts = await platform.knex('kernel.fact').where({ subject: id, name: 'connections.expired' })
    t.equal(facts.length, 1)

    const body = { providerKey: 'local', connectionId: id }
    const { authorizationUrl } = (await ada.post('/v1/oauth/connect', body)).body.data
    const { state, code } = there.agree(authorizationUrl)
    await booted.anyone.get(`/v1/oauth/callback/local?${new URLSearchParams({ state, code })}`)
    t.match(await here.open(id), { row: { status: 'active' } }, 'until it is connected again')
  })

  t.test('with the token written: the next instance has it, and asks nobody', async (t) => {
    const victim = await start()
    const { id, path } = await connected(ada, there)
    const renewed = await fetch(`${victim.url}${path}/refresh`, {
      method: 'POST',
      headers: { authorization }
    })
    t.equal(renewed.status, 200)
    await victim.kill()
    const before = asked()
    const opened = await here.open(id)
    t.ok(there.isValid(opened.material.accessToken))
    t.equal(opened.row.generation, 2)
    t.equal(asked(), before)
  })
})
