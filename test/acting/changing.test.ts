import t from 'tap'
import { local, run, saying } from '../../plugins/runs/test/testbed.ts'
import { isLast, read } from '../runs/reader.ts'
import { scene } from './scene.ts'

const TEXT = '/call order {"what":"tea"}\n/call everything__echo {"message":"hello"}'

t.test('the packs are reloaded, disabled and enabled while runs go on', async (t) => {
  const { home, ada, shop, agent } = await scene(t)
  const place = { url: home.url, client: ada }
  const { admin } = home
  const acting = await agent(local)
  const change = async (name: string, enabled: boolean) =>
    t.match(
      await admin.put(`/v1/packs/${name}`, { enabled }),
      { status: 200 },
      `${name} is ${enabled ? 'on' : 'off'}`
    )
  const several = () =>
    Promise.all(Array.from({ length: 6 }, () => read(t, place, { body: saying(acting, TEXT) })))

  for (const name of ['tools', 'mcp']) {
    const before = shop.effects.size
    const readers = await several()
    t.match(await admin.post(`/v1/packs/${name}/reload`, {}), { status: 200 })
    for (const { over } of readers) {
      const events = await over
      t.equal(events.at(-1)?.type, 'final')
      const ends = events.filter(({ type }) => type === 'toolEnd')
      t.match(ends, [{ isError: false }, { isError: false }], `${name} was reloaded`)
    }
    t.equal(shop.effects.size, before + readers.length)
  }

  // A pack that requires another one goes before it, and comes after it.
  for (const names of [['mcp'], ['mcp', 'toolbox', 'tools']]) {
    const readers = await several()
    for (const name of names) await change(name, false)
    for (const { over } of readers) {
      const events = await over
      t.equal(events.filter(isLast).length, 1)
      t.equal(events.at(-1)?.type, 'final', 'a run goes on without its tools')
    }
    const off = (await run(ada, acting, TEXT)).body.data
    t.match(off, { status: 'completed', content: /no tool everything__echo/ })
    for (const name of names.toReversed()) await change(name, true)
    t.match((await run(ada, acting, TEXT)).body.data, { status: 'completed', content: /Echo: hello/ })
  }

  const { id: runId, pending } = (await run(ada, acting, '/call pay {"sum":5}')).body.data
  for (const name of ['mcp', 'toolbox', 'tools']) await change(name, false)
  for (const name of ['tools', 'toolbox', 'mcp']) await change(name, true)
  t.match(
    await ada.post(`/v1/agents/runs/${runId}/approvals/${pending[0].callId}`, { decision: 'approve' }),
    {
      status: 200
    }
  )
  const reader = await read(t, place, { runId })
  t.match((await reader.over).at(-1), { type: 'final', content: /order/ }, 'who waits waits through it all')
})
