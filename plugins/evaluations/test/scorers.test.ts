import t from 'tap'
import { base, stage } from './testbed.ts'

const { ada, agent, dataset, experiment } = await stage(t)

t.test('a function of an app scores, and what it gives is looked at', async (t) => {
  const manifest = {
    ...{ manifestVersion: 1, id: 'grader', name: 'Grader', version: '1.0.0', description: 'Grades' },
    server: { entry: 'server.js' },
    ...{ capabilities: [], egress: [], connections: [], pages: [] },
    functions: [{ name: 'grade', description: 'Grades', input: { type: 'object' }, tool: false }]
  }
  const text = `export const functions = { async grade({ input, output, expected, metadata }) {
    if (input === 'throws') throw new Error('No idea')
    return input === 'odd' ? 7 : { score: output.endsWith(expected) ? 0.75 : 0, reason: metadata.topic }
  } }`
  await ada.put('/v1/ui-plugins', { manifest, files: { 'server.js': { text } } })
  t.match(await ada.put('/v1/ui-plugins/grader/status', { status: 'enabled' }), { status: 200 })
  const id = await dataset([
    { input: 'good', expected: 'good', metadata: { topic: 'words' } },
    { input: 'odd' },
    { input: 'throws' }
  ])
  const scorer = { type: 'app_function', app: 'grader', function: 'grade' }
  const { id: made } = await experiment(id, [scorer])
  const scores = (await ada.get(`${base}/experiments/${made}/results`)).body.data.reverse()
  t.match(scores, [
    { scores: [{ score: 0.75, passed: true, reason: 'words' }], passed: true },
    { scores: [{ score: null, reason: /not from 0 to 1/ }], passed: null },
    { scores: [{ score: null, reason: /No idea/ }] }
  ])
  const wrong = { datasetId: id, agentId: agent.id, scorers: [{ ...scorer, function: 'nope' }] }
  t.match(await ada.post(`${base}/experiments`, wrong), {
    status: 400,
    body: { error: { param: '/scorers/0/function' } }
  })
})
