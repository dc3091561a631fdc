import t from 'tap'
import { boot } from '../../../test/boot.ts'

const booted = await boot(t, 'agents')
const { as } = booted
const ada = as('ada')

t.test('options are kept with the agent, and count in its version', async (t) => {
  const options = { topP: 0.5, stop: ['END'], toolChoice: { tool: 'search' }, callerOptions: ['seed'] }
  const { body } = await ada.post('/v1/agents', { name: 'Ada', options })
  t.same(body.data.options, options)
  const path = `/v1/agents/${body.data.id}`
  const changed = await ada.put(path, { options: { seed: 7 } })
  t.match(changed.body.data, { options: { seed: 7 }, version: body.data.version + 1 })
  t.same(changed.body.data.options, { seed: 7 }, 'options are replaced as a whole')
  t.same((await ada.put(path, { options: { seed: 7 } })).body.data.version, body.data.version + 1)
  t.same((await ada.put(path, { name: 'Bea' })).body.data.options, { seed: 7 })
  t.same((await ada.put(path, { options: null })).body.data.options, null)
  t.match(await as('eve').put(path, { options: { seed: 1 } }), {
    status: 403,
    body: { error: { code: 'not_owner' } }
  })
  t.match(await ada.put('/v1/agents/agent_nobody', { options: { seed: 1 } }), { status: 404 })
})

t.test('refuses options that are not valid', async (t) => {
  const schema = { type: 'object', properties: { name: { type: 'text' } } }
  for (const [options, param] of [
    [{ topP: 2 }, '/options/topP'],
    [{ reasoning: 'hard' }, '/options/reasoning'],
    [{ stop: [''] }, '/options/stop/0'],
    [{ surprise: true }, '/options/surprise'],
    [{ callerOptions: ['name'] }, '/options/callerOptions/0'],
    [{ providerOptions: { openai: 1 } }, '/options/providerOptions/openai'],
    [{ providerOptions: { openai: { text: 'x'.repeat(20_000) } } }, '/options/providerOptions'],
    [{ responseFormat: { type: 'json', schema } }, '/options/responseFormat/schema/properties/name/type'],
    [{ responseFormat: { type: 'json', schema: { type: 'array' } } }, '/options/responseFormat/schema/type']
  ] as const) {
    t.match(await ada.post('/v1/agents', { name: 'Ada', options }), {
      status: 400,
      body: { error: { param } }
    })
    const agent = await ada.agent()
    t.match(await ada.put(`/v1/agents/${agent.id}`, { options }), { status: 400, body: { error: { param } } })
  }
})
