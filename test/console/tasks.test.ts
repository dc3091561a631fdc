// budget: 15 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

t.test('a task is made, run, and stands in the calendar', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const agent = await ada.agent({ name: 'Editor' })
  const tab = await open(ada, '/tasks')
  const { page } = tab
  await page.getByText('No tasks yet').waitFor()
  await look(t, tab, 'tasks none')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'New task' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New task' })
  await dialog.getByLabel('Title').fill('/say <script>alert(1)</script>')
  await dialog.getByRole('combobox', { name: 'Agent' }).click()
  await page.getByRole('option', { name: 'Editor' }).click()
  await dialog.getByText('By a schedule').click()
  await dialog.getByRole('combobox', { name: 'Cron expression' }).fill('0 9 * * 1')
  await dialog.getByText('Every Monday at 09:00').first().waitFor()
  await dialog.getByRole('button', { name: 'Create task' }).click()
  await page.getByRole('heading', { level: 1, name: '/say <script>alert(1)</script>' }).waitFor()
  const [task] = (await ada.get('/v1/tasks')).body.data
  t.match(task, { agentId: agent.id, cronExpression: '0 9 * * 1', isRecurring: true })

  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByRole('cell', { name: 'completed' }).waitFor()
  await page.getByRole('button', { name: 'Result' }).click()
  await page.getByRole('region', { name: 'Result' }).getByText('<script>alert(1)</script>').waitFor()
  await look(t, tab, 'task')

  await page.goto(`${booted.url}/console/tasks?view=calendar&at=${task.nextRunAt.slice(0, 10)}`)
  await page.getByRole('link', { name: '/say' }).waitFor()
  await look(t, tab, 'tasks calendar')
})
