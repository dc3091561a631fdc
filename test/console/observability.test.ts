// budget: 20 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

t.test('what was used, done and administered is seen, and how long it took', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const { admin } = booted
  const agent = await admin.agent({ name: 'Pilot', modelProvider: 'local' })
  const messages = [{ role: 'user', content: 'Good morning' }]
  t.equal((await admin.post('/v1/agents/run', { agentId: agent.id, messages })).status, 200)
  await booted.settled()
  const tab = await open(admin, '/observability')
  const { page } = tab
  await page.getByRole('table', { name: 'Usage' }).getByRole('link', { name: 'Pilot' }).waitFor()
  await look(t, tab, 'usage')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('tab', { name: 'Activity' }).click()
  await page.getByRole('cell', { name: /runs\.completed/ }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  const mate = await admin.agent({ name: 'Mate', modelProvider: 'local' })
  await page.getByRole('table', { name: 'Activity' }).getByText(mate.id).first().waitFor()
  await look(t, tab, 'activity')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('tab', { name: 'Audit log' }).click()
  await page.getByRole('table', { name: 'Audit log' }).getByRole('row').nth(1).waitFor()
  await look(t, tab, 'audit log')

  const traces = await open(admin, `/agents/${agent.id}/traces`)
  await traces.page.getByText('invoke_agent Pilot').waitFor()
  await look(t, traces, 'traces')
})

t.test('flags: an operator sets one, and a person sees what it is', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const tab = await open(booted.admin, '/flags')
  const { page } = tab
  await page.getByRole('button', { name: 'New flag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Feature flag' })
  await dialog.getByLabel('Key').fill('new-editor')
  await dialog.getByRole('button', { name: 'Set' }).click()
  await page.getByRole('cell', { name: /new-editor/ }).waitFor()
  await look(t, tab, 'flags')
  const other = await open(booted.as('ada'), '/flags')
  await other.page.getByRole('cell', { name: 'false' }).waitFor()
  t.equal(await other.page.getByRole('button', { name: 'New flag' }).count(), 0)
})
