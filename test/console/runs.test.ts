// budget: 14 s, because a browser looks at runs of a platform with all its packs
// tier: whole
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

t.test('runs are found, filtered and taken back', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const agent = await ada.agent({ name: 'Dicer' })
  const start = async (content: string, fields: object = {}) =>
    (
      await ada.post('/v1/agents/run', {
        agentId: agent.id,
        messages: [{ role: 'user', content }],
        ...fields
      })
    ).body.data
  const six = await start('/say Six')
  const waiting = await start('/call dice {"sides":6}', { cliTools: [{ name: 'dice' }] })
  const { sessionId } = waiting
  const queued = await start('And once more', { sessionId })
  t.match(queued, { status: 'queued' })

  const tab = await open(ada, '/')
  const { page } = tab
  await page.getByRole('region', { name: 'Running now' }).getByText('And once more').waitFor()
  await page.getByRole('region', { name: 'Last runs' }).getByText('/say Six').waitFor()
  await page.getByRole('link', { name: 'Runs', exact: true }).click()
  await page.getByRole('link', { name: '/say Six' }).waitFor()
  await look(t, tab, 'runs')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Waiting' }).click()
  await page.getByText('Result of dice').waitFor()
  await page.getByRole('link', { name: '/say Six' }).waitFor({ state: 'detached' })
  t.match(page.url(), /\?status=waiting$/)

  await page.goto(`${booted.url}/console/sessions/${sessionId}?show=runs`)
  await page.getByRole('link', { name: 'And once more' }).waitFor()
  await look(t, tab, 'session runs')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${booted.url}/console/agents/${agent.id}/chat?session=${sessionId}`)
  const ahead = page.getByRole('region', { name: 'Wait for their turn' })
  await ahead.getByText('And once more').waitFor()
  await look(t, tab, 'chat queued')
  await page.setViewportSize({ width: 1280, height: 800 })
  await ahead.getByRole('button', { name: 'Cancel And once more' }).click()
  await ahead.waitFor({ state: 'detached' })
  t.match((await ada.get(`/v1/agents/runs/${queued.id}`)).body.data, { status: 'cancelled' })

  await page.goto(`${booted.url}/console/agents/${agent.id}/runs`)
  await page.getByRole('link', { name: 'And once more' }).waitFor()
  t.equal(await page.getByText('cancelled', { exact: true }).count(), 1)

  const [{ callId }] = waiting.pending
  await ada.post('/v1/agents/cli-tool-result', { runId: waiting.id, callId, output: { rolled: 6 } })
  await ada.get(`/v1/agents/runs/${waiting.id}?wait=true`)
  await page.goto(`${booted.url}/console/runs/${waiting.id}?show=timeline`)
  const timeline = page.getByRole('tabpanel', { name: 'Timeline' })
  await timeline.getByText(/^Reply of the model in .+, a call in .+, waited /).waitFor()
  await timeline.getByRole('button', { name: /dice .+ m?s$/ }).waitFor()
  await look(t, tab, 'run timeline')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('tab', { name: 'Events' }).click()
  await page.getByRole('button', { name: /\+\d.*cli_tool_request/ }).waitFor()
  await page.getByLabel('Compare with').fill(six.id)
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('row', { name: /^Waited \d.* 0 ms$/ }).waitFor()
  await look(t, tab, 'runs compared')

  const eve = await open(booted.as('eve'), '/runs')
  await eve.page.getByText('No runs yet').waitFor()
  await look(t, eve, 'runs empty')
})
