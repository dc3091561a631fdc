// budget: 12 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

t.test('agents are created, changed and deleted in the browser', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const tab = await open(ada, '/agents')
  const { page } = tab
  await page.getByText('No agents yet').waitFor()
  await look(t, tab, 'agents none')

  await page.getByRole('button', { name: 'New agent' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New agent' })
  await dialog.getByLabel('Name').fill('Grace <script>alert(1)</script>')
  await dialog.getByLabel('Instructions').fill('Answer in one word.')
  await look(t, tab, 'agents new')
  await dialog.getByRole('button', { name: 'Create agent' }).click()
  await page.getByRole('heading', { level: 1, name: 'Grace <script>alert(1)</script>' }).waitFor()

  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Model options' }).click()
  await page.getByLabel('Temperature').fill('0.5')
  await page.getByLabel('Seed').fill('7')
  await page.getByLabel('Provider options').fill('{"openai": {"user": "ada"}}')
  await look(t, tab, 'agent options')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The agent is saved').waitFor()
  t.match((await ada.get('/v1/agents')).body.data, [
    { temperature: 0.5, options: { seed: 7, providerOptions: { openai: { user: 'ada' } } } }
  ])

  await page.getByLabel('Always-on context').fill('It is Monday.')
  await page.getByRole('button', { name: 'Save the context' }).click()
  await page.getByText('The always-on context is saved').waitFor()
  const [agent] = (await ada.get('/v1/agents')).body.data
  t.match((await ada.get(`/v1/agents/${agent.id}/knowledgebase`)).body.data, { content: 'It is Monday.' })
  await look(t, tab, 'agent settings')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Delete agent' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete agent' }).click()
  await page.getByText('No agents yet').waitFor()
  t.same((await ada.get('/v1/agents')).body.data, [])
})

t.test('what is not there, and what is not yours', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const agent = await booted.as('ada').agent()
  const foreign = await open(booted.as('eve'), `/agents/${agent.id}`)
  await foreign.page.getByText('You may not see this').waitFor()
  await foreign.page.getByText(/^Request/).waitFor()
  foreign.faults.length = 0 // the browser itself tells of the 403
  await look(t, foreign, 'agent forbidden')
  const nowhere = await open(booted.as('eve'), '/nowhere')
  await nowhere.page.getByText('There is no page here').waitFor()
  await look(t, nowhere, 'nowhere')
})
