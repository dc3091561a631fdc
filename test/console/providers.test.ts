// budget: 15 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

t.test('what serves a capability is seen, chosen and reset', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const tab = await open(booted.as('mill', { type: 'service' }), '/providers')
  const { page } = tab
  await page.getByText('Built-in').first().waitFor()
  await look(t, tab, 'providers')
  await page.getByRole('button', { name: 'Choose for Embeddings' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Try and choose' }).waitFor()
  await look(t, tab, 'a provider is chosen')
  await dialog.getByRole('button', { name: 'Try and choose' }).click()
  await page.getByRole('cell', { name: 'This project' }).waitFor()
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('cell', { name: 'This project' }).waitFor({ state: 'detached' })
})

t.test('OpenAI-compatible servers are added, edited and deleted', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const mill = booted.as('mill', { type: 'service' })
  const servers = async () => (await mill.get('/v1/models/servers')).body.data
  const tab = await open(mill, '/models')
  const { page } = tab
  await page.getByRole('button', { name: 'Add server' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('vllm')
  await dialog.getByLabel('Base URL').fill('https://models.example.com/v1')
  await dialog.getByRole('button', { name: 'Add header' }).click()
  await dialog.getByLabel('Name').nth(1).fill('x-tenant')
  await dialog.getByLabel('Value').fill('of-the-mill')
  await dialog.getByLabel('Secret').check()
  await dialog.getByRole('button', { name: 'Add model' }).click()
  await dialog.getByLabel('Model ID').fill('m')
  await dialog.getByLabel('Context window').fill('32000')
  await look(t, tab, 'a server is added')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Server added').waitFor()
  t.match(await servers(), [
    {
      id: 'openai-compatible:vllm',
      headers: [{ name: 'x-tenant', value: null, secret: true }],
      models: [{ modelId: 'm', contextTokens: 32_000 }]
    }
  ])
  await page.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Output tokens').fill('4000')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Server updated').waitFor()
  t.match(await servers(), [
    { version: 2, headers: [{ name: 'x-tenant' }], models: [{ outputTokens: 4_000 }] }
  ])
  await look(t, tab, 'models with a server')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Server deleted').waitFor()
  t.same(await servers(), [])
})
