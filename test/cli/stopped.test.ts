// tier: whole
import { join } from 'node:path'
import t from 'tap'
import { preparedDataDir } from '../data-dir.ts'
import { query, start } from '../embedded.ts'
import { begin, caller, commands, LONG, platform } from './command.ts'

t.test('of a platform that does not run one is started for a command alone', async (t) => {
  const DATA_DIR = await preparedDataDir(t)
  const env = { DATA_DIR }
  const { call, printed, json } = commands(env)
  t.match(await call('status', '--json'), { code: 1, out: /"running": false/, err: '' })
  const { out: key } = await begin(t, env, ['keys', 'create', '--name', 'ci', '--admin']).done
  t.match(key, /^ap_live_[0-9A-Za-z]{38}\n$/)

  const before = await platform(t, env)
  const ci = caller(before.url, key.trim())
  const agent = (await ci('/v1/agents', { name: 'Ada', instructions: 'Ada lives in London.' })).data
  const request = { agentId: agent.id, messages: [{ role: 'user', content: LONG }] }
  const stream = await fetch(`${before.url}/v1/agents/run/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.trim()}`, 'content-type': 'application/json' },
    body: JSON.stringify(request)
  })
  const left = stream.headers.get('x-run-id')
  await before.stop()

  // Held open, so that what lies there can be looked at.
  const database = await start(t, join(DATA_DIR, 'postgres'))
  const look = () => query(database, `select status, instance, attempt from runs.run where id = '${left}'`)
  const unfinished = await look()
  t.match(unfinished, [{ status: 'running' }], 'left for the next one that starts')

  await t.test('it changes packs, and runs agents', async (t) => {
    t.equal(await printed('packs', 'disable', 'goals'), 'goals is off\n')
    const changes = await json('packs', 'changes', 'goals', '--limit', '1')
    t.match(changes, [{ actor: 'operator', action: 'disabled', outcome: 'applied' }])
    t.equal(await printed('run', 'Ada', 'Where does Ada live?'), 'Ada lives in London.\n')
    t.match(await call('agents', 'list', '--project', 'shop'), { code: 1, err: 'Project shop not found\n' })
  })

  await t.test('Ctrl-C cancels the run that it was started for', async (t) => {
    const run = begin(t, env, ['run', 'Ada', LONG, '--json'])
    const [first = ''] = (await run.said('word')).split('\n')
    run.child.kill('SIGINT')
    t.match(await run.done, { code: 130, err: 'Interrupted\n' })
    const { runId } = JSON.parse(first)
    t.match(await query(database, `select status from runs.run where id = '${runId}'`), [
      { status: 'cancelled' }
    ])
  })

  await t.test('it leaves nothing behind, and alone what others left', async (t) => {
    t.strictSame(await look(), unfinished)
    t.strictSame(await query(database, 'select id from kernel.instance'), [])
    const good = `select id from kernel.credential where kind = 'minted' and "revokedAt" is null`
    t.strictSame(await query(database, good), [], 'no token is good for anything')
  })

  await t.test('the next one that starts holds what was changed', async (t) => {
    const { url } = await platform(t, env)
    const { data } = await caller(url, key.trim())('/v1/packs/goals')
    t.match(data, { status: 'off', enabled: { value: false, from: 'table' } })
    const removed = await json('packs', 'remove', 'goals', '--drop-data', '--yes', 'goals')
    t.match(removed, { id: 'goals', deleted: true, tables: ['goal'] })
  })
})
