// budget: 20 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

const local = { modelProvider: 'local', maxTokens: 50 }

t.test('an operator grants and prices, a person spends, caps and gives', { skip }, async (t) => {
  const { booted, open } = await stage(t, { env: { CREDITS_PROJECTS: 'default' } })
  const ada = booted.as('ada')
  await booted.as('bob').get('/v1/credits/balance')

  const operating = await open(booted.admin, '/credits?tab=operator')
  const desk = operating.page
  await desk.getByText('Nothing has a price').waitFor()
  await desk.getByLabel('Model: provider/model').fill('local/*')
  await desk.getByLabel('Output').fill('2000')
  await desk.getByRole('button', { name: 'Set the price' }).click()
  await desk.getByRole('cell', { name: 'local/*' }).waitFor()
  await desk.getByLabel('Whose account').fill('ada')
  await desk.getByLabel(/^Credits/).fill('12.5')
  await desk.getByLabel('Reason').fill('A prize')
  await desk.getByRole('button', { name: 'Grant credits' }).click()
  await desk.getByText('12.5 credits were posted').waitFor()
  await desk.getByText('12.5 credits were posted').waitFor({ state: 'detached' })
  await look(t, operating, 'credits operator')

  const agent = await ada.agent({ ...local, name: 'Pilot' })
  const messages = [{ role: 'user', content: '/repeat 20 word' }]
  t.equal((await ada.post('/v1/agents/run', { agentId: agent.id, messages })).status, 200)
  await booted.settled()
  const tab = await open(ada, '/credits')
  const { page } = tab
  await page.getByRole('cell', { name: 'A prize' }).waitFor()
  await page.getByRole('link', { name: 'Pilot' }).first().waitFor()
  await look(t, tab, 'credits')
  const run = (await ada.get('/v1/runs')).body.data[0].id
  const other = await open(ada, `/runs/${run}`)
  await other.page.getByText('0.05 credits').waitFor()
  await other.page.context().close()

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByText('By agent').click()
  await page.getByRole('table', { name: 'Spending' }).getByRole('cell', { name: 'Pilot' }).waitFor()

  await page.getByRole('tab', { name: 'Spend caps' }).click()
  await page.getByText('There are no spend caps').waitFor()
  await page.getByRole('button', { name: 'New spend cap' }).click()
  const dialog = page.getByRole('dialog', { name: 'New spend cap' })
  await dialog.getByLabel(/^Credits/).fill('0')
  await dialog.getByRole('button', { name: 'Create spend cap' }).click()
  await page.getByRole('cell', { name: '0 a day' }).waitFor()
  await look(t, tab, 'credits caps')
  t.equal((await ada.post('/v1/agents/run', { agentId: agent.id, messages })).status, 402)

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('tab', { name: 'Gifts' }).click()
  await page.getByLabel(/^To\b/).fill('nobody')
  await page.getByLabel(/^Credits/).fill('1.5')
  await page.getByRole('button', { name: 'Gift credits' }).click()
  await page.getByText('Account not found').waitFor()
  tab.faults.length = 0 // the browser itself tells of the 404
  await page.getByLabel(/^To\b/).fill('bob')
  await page.getByRole('button', { name: 'Gift credits' }).click()
  await page.getByRole('cell', { name: 'To bob' }).waitFor()
  await look(t, tab, 'credits gifts')

  await page.goto(`${booted.url}/console/`)
  await page.getByRole('heading', { name: 'Spending' }).waitFor()
  await look(t, tab, 'home spending', { at: 1 })
})
