// budget: 15 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import t from 'tap'
import { until } from '../packs/stage.ts'
import { look, skip, stage } from './testbed.ts'

const definition = {
  steps: [
    {
      id: 'ask',
      type: 'approval',
      config: {
        message: 'Refund it?',
        form: { type: 'object', properties: { percent: { type: 'integer' } }, required: ['percent'] }
      }
    },
    {
      id: 'pay',
      type: 'transform',
      dependsOn: ['ask'],
      config: { value: '{{ steps.ask.output.data.percent }}' }
    }
  ]
}

t.test('steps are edited, what is wrong is said at the step', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const { id } = (await ada.post('/v1/workflows', { name: 'Refund', definition })).body.data
  const tab = await open(ada, `/workflows/${id}?step=pay`)
  const { page } = tab
  await page.getByLabel('Value').fill('{{ steps.nothing.output }}')
  await page.getByRole('button', { name: 'Save steps' }).click()
  await page.getByRole('button', { name: 'pay Has to be mended' }).waitFor()
  tab.faults.length = 0 // the browser itself tells of the 400
  await look(t, tab, 'workflow with a fault')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByLabel('Value').fill('{{ steps.ask.output.data.percent * 2 }}')
  await page.getByRole('button', { name: 'Save steps' }).click()
  await page.getByText('Version 2').waitFor()
  const { definition: saved } = (await ada.get(`/v1/workflows/${id}`)).body.data
  t.equal(saved.steps[1].config.value, '{{ steps.ask.output.data.percent * 2 }}')

  await page.getByRole('tab', { name: 'Versions' }).click()
  await page.getByRole('row', { name: /^Version 2 Current/ }).waitFor()
  await page.getByRole('link', { name: 'Version 1' }).click()
  const compared = page.getByRole('region', { name: 'Compared with the current version' })
  await compared.getByRole('heading', { name: 'Step pay' }).waitFor()
  t.equal(await compared.getByRole('heading', { level: 3 }).count(), 1, 'what is the same is not shown')
  await look(t, tab, 'workflow version')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Make it the current one' }).click()
  await page.getByText('Version 3').waitFor()
  t.same((await ada.get(`/v1/workflows/${id}`)).body.data.definition, definition)

  // The graph by the keyboard alone.
  await page.locator('.react-flow__node', { hasText: 'ask' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'ask' }).waitFor()
})

t.test('an execution waits for a decision, and goes on with it', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const { id } = (await ada.post('/v1/workflows', { name: 'Refund', definition })).body.data
  const tab = await open(ada, `/workflows/${id}?execute`)
  const { page } = tab
  await page.getByRole('dialog').getByRole('button', { name: 'Execute' }).click()
  await page.getByText('Refund it?').waitFor()
  await page.getByText('Approval, waiting').waitFor()
  await look(t, tab, 'execution waits')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${booted.url}/console/`)
  const waits = page.getByRole('region', { name: 'Waits for you' })
  await waits.getByRole('link', { name: 'Refund it?' }).click()

  await page.getByLabel('percent').fill('50')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Output' }).waitFor()
  await page.getByText('Transform, completed').waitFor()
  await look(t, tab, 'execution completed')
  const [execution] = (await ada.get(`/v1/workflows/${id}/executions`)).body.data
  t.match((await ada.get(`/v1/workflows/${id}/executions/${execution.id}`)).body.data.output, { pay: 50 })

  // One who is no more than listed decides without the rest of it.
  const [ask] = definition.steps
  const listed = { steps: [{ ...ask, config: { ...ask?.config, principals: ['bob'] } }] }
  const other = (await ada.post('/v1/workflows', { name: 'Ask Bob', definition: listed })).body.data
  await ada.post(`/v1/workflows/${other.id}/execute`)
  const bob = await open(booted.as('bob'), '/')
  const asked = bob.page.getByRole('region', { name: 'Waits for you' })
  await asked.getByRole('link', { name: 'Refund it?' }).click()
  const card = bob.page.getByRole('region', { name: 'ask waits' })
  await card.getByText('Asked by ada').waitFor()
  await look(t, bob, 'workflows waiting')
  await card.getByLabel('percent').fill('10')
  await card.getByRole('button', { name: 'Approve' }).click()
  await bob.page.getByText('Nothing waits for you').waitFor()
  const done = async () => (await ada.get(`/v1/workflows/${other.id}/executions`)).body.data[0].status
  t.equal(await until(done, (status) => status === 'completed'), 'completed')
})
