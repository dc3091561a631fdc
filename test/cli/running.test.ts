// tier: whole
import t from 'tap'
import { preparedDataDir } from '../data-dir.ts'
import { begin, caller, commands, LONG, platform } from './command.ts'

t.test('a platform that runs is asked over HTTP', async (t) => {
  const env = { DATA_DIR: await preparedDataDir(t) }
  const { call, printed, json } = commands(env)
  const { url } = await platform(t, env)
  const key = (await begin(t, env, ['keys', 'create', '--name', 'ada', '--admin']).done).out.trim()
  const ada = caller(url, key)
  const agent = (await ada('/v1/agents', { name: 'Ada', instructions: 'Ada lives in London.' })).data

  await t.test('status', async (t) => {
    const status = await json('status')
    t.match(status, { running: true, ready: true, url, redis: false, model: 'local/development' })
    t.match(status.instances, [{ url, pid: Number, draining: false }])
    t.ok(status.packs.running.includes('goals'))
  })

  await t.test('packs', async (t) => {
    t.equal(await printed('packs', 'disable', 'goals'), 'goals is off\n')
    t.equal(await printed('packs', 'disable', 'goals'), 'goals is off already\n')
    t.equal((await ada('/v1/goals')).status, 404, 'at once')
    t.match(await json('packs', 'changes', 'goals', '--limit', '1'), [
      { actor: 'operator', action: 'disabled', outcome: 'applied' }
    ])
    const unknown = await call('packs', 'show', 'nope')
    t.match(unknown, { code: 1, out: '', err: /^Pack not found \(req_\w+\)\n$/ })
  })

  await t.test('with a key alone', async (t) => {
    const elsewhere = commands({ PLATFORM_URL: url, PLATFORM_API_KEY: key })
    t.match(await elsewhere.json('packs', 'enable', 'goals'), { name: 'goals', status: 'running' })
    const again = await elsewhere.printed('packs', 'enable', 'goals')
    t.equal(again, 'goals is running already; `packs reload goals` loads what lies in its folder now\n')
    const other = await elsewhere.call('agents', 'list', '--project', 'shop')
    t.match(other, { code: 2, out: '', err: /default, not shop/ })
  })

  await t.test('a link to the console', async (t) => {
    const [, address, code] =
      /^(http:.*)\/console\/sign-in#code=(\S+)\n$/.exec(await printed('console')) ?? []
    t.equal(address, 'http://127.0.0.1:0', 'that of BASE_URL')
    const signIn = (body: object) =>
      fetch(`${url}/console/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body)
      })
    const reply = await signIn({ code })
    t.equal(reply.status, 201)
    t.match(await reply.json(), { data: { principal: { id: 'developer' } } }, 'as whom the start greets')
    const cookie = (reply.headers.get('set-cookie') ?? '').split(';')[0] as string
    t.equal((await fetch(`${url}/v1/packs`, { headers: { cookie } })).status, 200, 'it may do everything')
    t.equal((await signIn({ code })).status, 401)

    const { url: link, expiresAt } = await json('console', '--project', 'default')
    t.ok(Date.parse(expiresAt) > Date.now())
    const operator = await signIn({ code: link.split('#code=')[1] })
    t.match(await operator.json(), { data: { principal: { id: 'operator', type: 'service' } } })
    const mine = (operator.headers.get('set-cookie') ?? '').split(';')[0] as string
    t.equal(
      (await fetch(`${url}/v1/packs`, { headers: { cookie: mine } })).status,
      200,
      'also when the command is over'
    )
    const elsewhere = commands({ PLATFORM_URL: url, PLATFORM_API_KEY: key })
    t.match(await elsewhere.printed('console'), '#code=link_')
  })

  await t.test('agents and runs', async (t) => {
    t.match(await json('agents', 'list'), [{ id: agent.id, name: 'Ada' }])
    t.equal(await printed('run', 'Ada', 'Where does Ada live?'), 'Ada lives in London.\n')
    const failed = await call('run', `${agent.id}`, '/fail 400 told to')
    t.match(failed, { code: 1, out: '', err: /^The run failed: [^\n]*told to[^\n]*\n$/ })
  })

  await t.test('Ctrl-C cancels the run', async (t) => {
    const run = begin(t, env, ['run', 'Ada', LONG, '--json'])
    const [first = ''] = (await run.said('word')).split('\n')
    const { type, runId } = JSON.parse(first)
    t.equal(type, 'run_started')
    run.child.kill('SIGINT')
    const { code, out, err } = await run.done
    t.strictSame([code, err], [130, 'Interrupted\n'])
    for (const line of out.trim().split('\n')) t.equal(JSON.parse(line).runId, runId)
    t.match((await ada(`/v1/agents/runs/${runId}`)).data, { status: 'cancelled' })
  })
})
