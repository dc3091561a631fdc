// budget: 16 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import type { Test } from 'tap'
import t from 'tap'
import { echo, toolServer } from '../../plugins/mcp/test/tool-server-fixture.ts'
import type { Stage } from './testbed.ts'
import { look, skip, stage } from './testbed.ts'

t.test('agents act by themselves, with tools of others, and what was said is kept', { skip }, async (t) => {
  const place = await stage(t)
  t.test('autonomy and goals', (t) => autonomy(t, place))
  t.test('sessions', (t) => sessions(t, place))
  t.test('tool servers', (t) => servers(t, place))
})

async function autonomy(t: Test, { booted, open }: Stage) {
  const ada = booted.as('ada')
  const agent = await ada.agent({ name: 'Keeper' })
  const tab = await open(ada, `/agents/${agent.id}/autonomy`)
  const { page } = tab
  await page.getByRole('switch', { name: 'The agent acts without being asked' }).click()
  await page.getByLabel('Prompt').fill('/say All is quiet.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('enabled', { exact: true }).waitFor()
  t.match((await ada.get(`/v1/agents/${agent.id}/autonomy`)).body.data, {
    enabled: true,
    prompt: '/say All is quiet.'
  })
  await page.getByRole('button', { name: 'Beat now' }).click()
  await page.getByRole('cell', { name: 'completed' }).waitFor()
  await look(t, tab, 'autonomy')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('tab', { name: 'Goals' }).click()
  await page.getByRole('button', { name: 'New goal' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New goal' })
  await dialog.getByLabel('Title').fill('Answer within a day')
  await dialog.getByRole('button', { name: 'Create goal' }).click()
  await page.getByText('Answer within a day').waitFor()
  t.match((await ada.get(`/v1/goals?agentId=${agent.id}`)).body.data, [
    { title: 'Answer within a day', status: 'open' }
  ])
  await look(t, tab, 'goals')
}

async function sessions(t: Test, { booted, open }: Stage) {
  const ada = booted.as('ada')
  const agent = await ada.agent({ name: 'Clerk' })
  const messages = [{ role: 'user', content: '/say Within ten days.' }]
  await ada.post('/v1/agents/run', { agentId: agent.id, messages })
  const tab = await open(ada, '/sessions')
  const { page } = tab
  await page.getByRole('combobox', { name: 'Agent' }).click()
  await page.getByRole('option', { name: 'Clerk' }).click()
  const row = page.getByRole('link', { name: '/say Within ten days.' })
  await row.waitFor()
  await look(t, tab, 'sessions')
  await page.setViewportSize({ width: 1280, height: 800 })
  await row.click()
  await page.getByRole('heading', { level: 1, name: '/say Within ten days.' }).waitFor()
}

async function servers(t: Test, { booted, open }: Stage) {
  const ada = booted.as('ada')
  const { url } = await toolServer(t, 'modern', echo)
  const tab = await open(ada, '/tool-servers?new')
  const { page } = tab
  const dialog = page.getByRole('dialog', { name: 'Add an MCP server' })
  await dialog.getByLabel('Name').fill('Echoes')
  await dialog.getByLabel('Address').fill(url)
  await dialog.getByRole('button', { name: 'Add server' }).click()
  await page.getByRole('heading', { level: 1, name: 'Echoes' }).waitFor()
  const connect = page.getByRole('button', { name: 'Connect', exact: true })
  const echoes = page.getByRole('link', { name: /echo/ })
  await connect.or(echoes).first().waitFor()
  if (await connect.isVisible()) await connect.click()
  await echoes.first().waitFor()
  const [server] = (await ada.get('/v1/mcp/servers')).body.data
  t.match(server, { name: 'Echoes', url, status: 'connected' })
  await look(t, tab, 'tool server')
}
