// budget: 15 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

t.test('a person sees what an answer was made of, and takes the bundle', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const agent = await ada.agent({ modelProvider: 'local', name: 'Pilot' })
  const messages = [{ role: 'user', content: 'When is tea?' }]
  const { body } = await ada.post('/v1/agents/run', { agentId: agent.id, messages })
  const { id, sessionId } = body.data
  await booted.settled()

  const tab = await open(ada, `/runs/${id}?made=list`)
  const { page } = tab
  await page.getByRole('heading', { name: 'What it was made of' }).waitFor()
  const table = page.getByRole('table', { name: 'What it was made of' })
  for (const what of ['Agent', 'Person', 'Model'])
    await table.getByRole('cell', { name: what, exact: true }).waitFor()
  await table.getByText('From the person').waitFor()
  await look(t, tab, 'run provenance')

  await page.setViewportSize({ width: 1280, height: 800 })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the signed bundle' }).click()
  ])
  t.equal(download.suggestedFilename(), `${id}.provenance.json`)
  const saved = JSON.parse(await readFile(await download.path(), 'utf8'))
  t.equal(saved.data.items[0].runId, id)

  await page.goto(`${booted.url}/console/sessions/${sessionId}?show=provenance`)
  const graph = page.getByRole('region', { name: /^Graph of what it was made of/ })
  await graph.getByText('Run, completed').waitFor()
  await graph.getByText('Model: ', { exact: false }).first().waitFor()
  await look(t, tab, 'session provenance')
})
