// budget: 15 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import { createServer } from 'node:http'
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

t.test('an agent is published, and one elsewhere is added', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const agent = await ada.agent({ name: 'Planner', modelProvider: 'local' })
  const tab = await open(ada, `/agents/${agent.id}/publish`)
  const { page } = tab
  await page.getByText('No tasks yet').waitFor()
  await page.getByLabel('Description').fill('Plans trips <script>alert(1)</script>')
  await page.getByRole('button', { name: 'Publish agent' }).click()
  await page.getByRole('link', { name: 'card' }).waitFor()
  const card = await booted.anyone.get(`/v1/a2a/${agent.id}/.well-known`)
  t.match(card.body, { name: 'Planner', description: 'Plans trips <script>alert(1)</script>' })
  const message = { role: 'user', messageId: 'm1', parts: [{ kind: 'text', text: 'Hello' }] }
  await ada.post(`/v1/a2a/${agent.id}`, {
    jsonrpc: '2.0',
    id: 1,
    method: 'message/send',
    params: { message }
  })
  await booted.settled()
  await page.reload()
  await page.getByRole('cell', { name: 'completed' }).waitFor()
  await look(t, tab, 'agent published')

  const elsewhere = createServer((_, response) => {
    response.end(
      JSON.stringify({
        name: 'Weather Bureau',
        description: 'Knows the weather',
        supportedInterfaces: [{ url: '/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
        skills: [{ id: 'f', name: 'Forecast', description: 'Says what comes' }]
      })
    )
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  t.teardown(() => elsewhere.close())
  const { port } = elsewhere.address() as { port: number }
  await page.goto(`${booted.url}/console/remote-agents`)
  await page.getByText('No remote agents yet').waitFor()
  await page.getByRole('button', { name: 'Add agent' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add a remote agent' })
  await dialog.getByLabel('Address of its card').fill(`http://127.0.0.1:${port}/card`)
  await dialog.getByRole('button', { name: 'Add agent' }).click()
  await page.getByRole('heading', { name: 'Weather Bureau' }).waitFor()
  await page.getByText('ask_weather_bureau').waitFor()
  await look(t, tab, 'remote agents')

  await page.goto(`${booted.url}/console/agents/${agent.id}/peers`)
  await page.getByText('No preferred peers').waitFor()
  await page.getByRole('combobox', { name: 'Agent', exact: true }).click()
  await page.getByRole('option', { name: 'Weather Bureau' }).click()
  await page.getByLabel('When to prefer it').fill('For the weather')
  await page.getByLabel(/ask_weather_bureau as well/).waitFor()
  await page.getByRole('button', { name: 'Pin' }).click()
  const peers = page.getByRole('table', { name: 'Preferred peers' })
  await peers.getByText('For the weather').waitFor()
  await peers.getByText('not given').waitFor({ state: 'detached' })
  await look(t, tab, 'preferred peers')
  const [pinned] = (await ada.get(`/v1/agents/${agent.id}/preferred-connections`)).body.data
  t.match(pinned, { peerAgentId: /^remote_/, description: 'For the weather' })
  const [given] = (await ada.get(`/v1/agents/${agent.id}/tools`)).body.data
  t.match(given, { toolName: 'ask_weather_bureau', policy: 'ask' })
  await peers.getByRole('link', { name: 'with a key or a connection' }).click()
  await page.getByText('its calls carry no credential').waitFor()
  await page.goBack()
  await peers.getByRole('button', { name: 'Unpin' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unpin' }).click()
  await page.getByText('No preferred peers').waitFor()
})
