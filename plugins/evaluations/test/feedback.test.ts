import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { base, stage } from './testbed.ts'

const { as, knex, ada, eve, agent, make, dataset } = await stage(t)

t.test('thumbs say what an answer was worth, and make items of a dataset', async (t) => {
  const ask = async (content: string) => {
    const body = { agentId: agent.id, messages: [{ role: 'user', content }] }
    return (await ada.post('/v1/agents/run', body)).body.data.id
  }
  const runId = await ask('Paris')
  const at = `/v1/agents/runs/${runId}/feedback`
  const datasetId = await dataset()
  t.match(await ada.get(at), { status: 404 })
  t.match(await ada.put(at, { thumb: 'up', comment: 'Nice', datasetId }), {
    status: 200,
    body: { data: { owner: 'ada', runId, thumb: 'up', comment: 'Nice', version: 1, itemId: String } }
  })
  const rows = async () => (await ada.get(`${base}/datasets/${datasetId}/items`)).body.data
  t.match(await rows(), [
    { input: 'Paris', expected: 'You said: Paris', runId, metadata: { comment: 'Nice' } }
  ])
  t.match(await ada.put(at, { thumb: 'down', datasetId }), { body: { data: { thumb: 'down', version: 2 } } })
  const [item] = await rows()
  t.match(item, { expected: null }, 'it is to be filled in')
  await ada.patch(`${base}/datasets/${datasetId}/items/${item.id}`, { expected: 'The capital of France' })
  await ada.put(at, { thumb: 'up', datasetId })
  t.match(await rows(), [{ id: item.id, expected: 'The capital of France' }], 'what a person wrote stays')
  t.match((await ada.get(`${base}/feedback?agentId=${agent.id}&runId=${runId}&thumb=up`)).body.data, [
    { runId }
  ])
  t.same((await ada.get(`${base}/feedback?thumb=down`)).body.data, [])
  const slow = (await make(ada, '/experiments', {
    ...{ agentId: agent.id, scorers: [{ type: 'exact' }] },
    datasetId: await dataset([{ input: '/wait 60000\n/repeat 9 word' }])
  })) as { id: string }
  const open = await until(
    async () => (await ada.get(`/v1/runs?agentId=${agent.id}&status=running`)).body.data[0],
    (run) => run !== undefined
  )
  t.match(await ada.put(`/v1/agents/runs/${open.id}/feedback`, { thumb: 'up' }), {
    status: 409,
    body: { error: { code: 'run_under_way' } }
  })
  await ada.post(`${base}/experiments/${slow.id}/cancel`)
  await ada.put(`/v1/agents/runs/${runId}/sharing`, { audience: 'project' })
  for (const refused of [
    eve.put(at, { thumb: 'down' }),
    eve.get(at),
    eve.delete(at),
    eve.get(`${base}/feedback?agentId=${agent.id}`),
    as('robot', { type: 'agent', owner: 'ada' }).put(at, { thumb: 'up' })
  ])
    t.match(await refused, { status: 403 })
  t.match(await ada.put('/v1/agents/runs/run_nope/feedback', { thumb: 'up' }), { status: 404 })
  t.match(await ada.put(at, { thumb: 'sideways' }), { status: 400, body: { error: { param: '/thumb' } } })
  t.match(await ada.put(at, { thumb: 'up', datasetId: 'dataset_nope' }), {
    status: 404,
    body: { error: { param: '/datasetId' } }
  })
  const hers = (await make(eve, '/datasets', { name: 'Hers' })).id
  t.match(await ada.put(at, { thumb: 'up', datasetId: hers }), { status: 403 })
  t.match(await ada.delete(at), { status: 200 })
  t.match(await ada.get(at), { status: 404 })
  t.equal((await rows()).length, 1, 'the item stays')
  const told = await knex('kernel.fact')
    .where({ subject: runId })
    .whereLike('name', 'evaluations.%')
    .select('data')
  t.equal(told.length, 4)
  t.notMatch(JSON.stringify(told), /Nice|Paris/)
})
