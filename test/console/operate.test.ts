// budget: 20 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

t.test('an operator disables, enables and configures packs in the browser', { skip }, async (t) => {
  const { booted, open } = await stage(t, {})
  const { admin } = booted
  const tab = await open(admin, '/packs')
  const { page, faults } = tab
  await page.getByRole('link', { name: 'goals', exact: true }).waitFor()
  await look(t, tab, 'packs')
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.goto(`${booted.url}/console/packs/access`)
  await page.getByRole('link', { name: 'API keys' }).waitFor()
  await page.getByRole('button', { name: 'Disable' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Its data and settings stay').waitFor()
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('link', { name: 'API keys' }).waitFor({ state: 'detached' })
  t.match((await admin.get('/v1/packs/access')).body.data, { status: 'off', enabled: { value: false } })
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByRole('link', { name: 'API keys' }).waitFor()
  await look(t, tab, 'pack')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${booted.url}/console/packs/models/settings`)
  await page.getByLabel('OpenAI API key').fill('sk-told-to-nobody')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The settings are saved').waitFor()
  await page.getByPlaceholder('Set. Enter another to replace it').waitFor()
  t.notMatch(await page.content(), 'sk-told-to-nobody')
  t.match((await admin.get('/v1/packs/models')).body.data.settings.openaiApiKey, {
    value: { set: true },
    from: 'table'
  })
  await look(t, tab, 'pack settings')
  t.same(faults, [])

  await page.goto(`${booted.url}/console/packs/models/changes`)
  await page.getByRole('cell', { name: 'configured' }).waitFor()
  await look(t, tab, 'pack changes')

  // As where the page of the pack was written anew, and the console was not built.
  await page.route('**/v1/packs', async (route) => {
    const reply = await route.fetch()
    const { data, ...rest } = await reply.json()
    const edited = data.map((pack: { name: string }) =>
      pack.name === 'goals' ? { ...pack, page: 'new' } : pack
    )
    await route.fulfill({ response: reply, json: { data: edited, ...rest } })
  })
  await page.route('**/v1/packs/goals', async (route) => {
    const reply = await route.fetch()
    const { data } = await reply.json()
    await route.fulfill({ response: reply, json: { data: { ...data, page: 'new' } } })
  })
  await page.goto(`${booted.url}/console/packs?state=trouble`)
  await page.getByText('Its page in the console is not the one in its folder').waitFor()
  await page.getByRole('link', { name: 'goals', exact: true }).click()
  await page.getByText('npm run build:console').waitFor()
  await look(t, tab, 'page of a pack that is not built')
})

t.test('packs are for operators; whether all is well is for all', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const tab = await open(booted.as('ada'), '/')
  await tab.page.getByText('All is well').waitFor()
  t.equal(await tab.page.getByRole('link', { name: 'Packs' }).count(), 0)
  t.equal(await tab.page.getByRole('region', { name: 'Instances' }).count(), 0)
  await look(t, tab, 'home of a user')

  await tab.page.goto(`${booted.url}/console/models`)
  await tab.page.getByText('By which memory and knowledge').waitFor()
  await tab.page.getByText('The first that sends no text to others.').waitFor()
  t.equal(await tab.page.getByRole('button', { name: 'Choose' }).count(), 0, 'only operators choose')
})

t.test('keys are made, shown once and revoked', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const tab = await open(ada, '/api-keys?new')
  const { page } = tab
  await page.getByRole('dialog').getByLabel('Name').fill('Report <b>x</b>')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('Copy it now').waitFor()
  await look(t, tab, 'key shown once')
  await page.getByRole('button', { name: 'I have copied it' }).click()
  const keys = async () =>
    (await ada.get('/v1/auth/api-keys')).body.data.filter(
      ({ name }: { name: string }) => name === 'Report <b>x</b>'
    )
  t.match(await keys(), [{ revokedAt: null }])
  await page.getByRole('button', { name: 'Revoke Report' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The key is revoked').waitFor()
  t.match(await keys(), [{ revokedAt: String }])
  await look(t, tab, 'keys')
})

t.test('a tool is made, tried and given to an agent', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const agent = await ada.agent()
  const tab = await open(ada, '/tools?new')
  const { page } = tab
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('say_hello')
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Says hello')
  await dialog.getByLabel('Address').fill('https://api.example.com/hello')
  await page.getByRole('button', { name: 'Create tool' }).click()
  await page.getByRole('heading', { level: 1, name: 'say_hello' }).waitFor()
  t.match((await ada.get('/v1/tools/say_hello')).body.data, {
    kind: 'http',
    config: { method: 'GET', url: 'https://api.example.com/hello' }
  })
  await look(t, tab, 'tool')

  await page.goto(`${booted.url}/console/tools/calculator/try?agent=${agent.id}`)
  await page.getByRole('button', { name: 'Assign it to the agent' }).click()
  await page.getByLabel('expression').fill('6*7')
  await page.getByRole('button', { name: 'Call' }).click()
  await page.getByRole('region', { name: 'Output' }).getByText('42').waitFor()
  await look(t, tab, 'tool trial')

  await page.goto(`${booted.url}/console/agents/${agent.id}/tools`)
  await page.getByRole('combobox', { name: 'Policy of calculator' }).click()
  const changed = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
  await page.getByRole('option', { name: 'Ask a person each time' }).click()
  await changed
  t.match((await ada.get(`/v1/agents/${agent.id}/tools`)).body.data, [
    { toolName: 'calculator', policy: 'ask' }
  ])
  await look(t, tab, 'tools of an agent')
})

t.test('the pages of models, keys and servers are there', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const tab = await open(booted.admin, '/models')
  const { page } = tab
  await page.getByRole('link', { name: 'OpenAI', exact: true }).click()
  await page.getByLabel('API key').fill('sk-of-the-project')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('OpenAI is set up').waitFor()
  t.match((await booted.admin.get('/v1/models/providers/openai')).body.data, {
    source: 'project',
    apiKey: { set: true }
  })
  await look(t, tab, 'provider')
  for (const path of ['/models', '/tool-keys?new', '/tools/calls', '/tool-servers?new']) {
    await page.goto(`${booted.url}/console${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await look(t, tab, path.slice(1))
  }
})
