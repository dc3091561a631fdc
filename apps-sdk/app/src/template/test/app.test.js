import assert from 'node:assert/strict'
import test from 'node:test'
import { testApp } from 'agent-platform-app/testing'

const ada = { name: 'Ada', instructions: null, modelProvider: 'local', modelId: null }
const agents = { 'agents.read': ({ agentId }) => ({ id: agentId, ...ada }) }

test('it greets, and counts how often it did', async () => {
  const app = await testApp('.', { platform: agents })
  assert.deepEqual(await app.call('greet', { name: 'Grace' }), { text: 'Hello Grace!', times: 1 })
  const byAgent = await app.call('greet', { name: 'Grace' }, { agentId: 'agent_1' })
  assert.deepEqual(byAgent, { text: 'Hello Grace! Ada', times: 2 })
  assert.deepEqual(app.log.at(-1), { level: 'info', text: 'greeted for the 2. time' })
})

test('it may do no more than it was granted', async () => {
  const app = await testApp('.', { grants: { capabilities: [], hosts: [] }, platform: agents })
  await assert.rejects(app.call('greet', { name: 'Grace' }, { agentId: 'agent_1' }), {
    message: 'agents.read was not granted to this app'
  })
})
