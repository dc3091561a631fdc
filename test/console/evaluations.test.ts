// budget: 15 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import t from 'tap'
import { until } from '../packs/stage.ts'
import { look, skip, stage } from './testbed.ts'

t.test('a dataset is filled, run, and its experiments are compared', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const agent = await ada.agent({ name: 'Geographer', modelProvider: 'local' })
  const tab = await open(ada, '/evaluations')
  const { page } = tab
  await page.getByText('No datasets yet').waitFor()
  await look(t, tab, 'no datasets')
  await page.getByRole('button', { name: 'New dataset' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Capitals')
  await page.getByRole('button', { name: 'Create dataset' }).click()
  await page.getByText('No items yet').waitFor()
  const csv =
    'input,expected,topic\nParis,You said: Paris,Europe\nLima,Lima is a city,America\n<b>Oslo</b>,,\n'
  await page
    .getByLabel('File of items')
    .setInputFiles({ name: 'capitals.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByText('<b>Oslo</b>').waitFor()
  await look(t, tab, 'items of a dataset')
  await page.getByRole('button', { name: 'Edit item' }).first().click()
  await page.getByRole('dialog').getByLabel('Expected outcome').fill('Oslo')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').first().waitFor()

  await page.getByRole('button', { name: 'New experiment' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByPlaceholder('Choose an agent').click()
  await page.getByRole('option', { name: 'Geographer' }).click()
  await dialog.getByRole('button', { name: 'Add a scorer' }).click()
  await look(t, tab, 'a new experiment')
  await dialog.getByRole('button', { name: 'Run 3 items' }).click()
  await page.getByText('completed').first().waitFor()
  await page.getByText('You said: Paris').last().waitFor()
  await look(t, tab, 'an experiment')
  const [{ id, datasetId }] = (await ada.get('/v1/evaluations/experiments')).body.data
  const again = { datasetId, agentId: agent.id, name: 'Shorter', scorers: [{ type: 'exact' }] }
  const second = (await ada.post('/v1/evaluations/experiments', again)).body.data.id
  await until(
    () => ada.get(`/v1/evaluations/experiments/${second}`),
    ({ body }) => body.data.status === 'completed'
  )
  await page.getByRole('link', { name: 'Experiments' }).click()
  await page.getByLabel('Compare Shorter').check()
  await page.getByLabel(/^Compare Capitals/).check()
  // A row below the mouse has another colour.
  await page.mouse.move(0, 0)
  await look(t, tab, 'experiments of a dataset')
  await page.getByRole('button', { name: 'Compare (2)' }).click()
  await page.getByText('Item by item').waitFor()
  await page.getByText('Expected: You said: Paris').waitFor()
  await look(t, tab, 'a comparison')

  const { runId } = (await ada.get(`/v1/evaluations/experiments/${id}/results`)).body.data[0]
  const other = await open(ada, `/runs/${runId}`)
  await other.page.getByRole('button', { name: 'Not good' }).click()
  await other.page.getByRole('button', { name: 'Save', exact: true }).click()
  await other.page.getByText('It is noted').waitFor()
  await look(t, other, 'feedback about a run')
  t.match((await ada.get(`/v1/agents/runs/${runId}/feedback`)).body.data, { thumb: 'down' })

  const chat = await open(ada, `/agents/${agent.id}/chat`)
  await chat.page.getByPlaceholder('Write a message').fill('/say Lima')
  await chat.page.keyboard.press('Enter')
  await chat.page.getByRole('button', { name: 'Good answer', exact: true }).click()
  await chat.page.getByRole('button', { name: 'Good answer', exact: true, pressed: true }).waitFor()
  const [said] = (await ada.get('/v1/evaluations/feedback?limit=1')).body.data
  t.match(said, { thumb: 'up', agentId: agent.id })
  await chat.page.mouse.move(0, 0)
  await chat.page.getByRole('tooltip').waitFor({ state: 'detached' })
  await look(t, chat, 'thumbs below an answer')
})
