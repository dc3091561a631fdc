// budget: 16 s, because a browser searches pages of a platform with all its packs
// tier: whole
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

t.test('lists and the palette search on the server', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const zebra = await ada.agent({ name: 'Zebra' })
  for (let n = 0; n < 11; n++)
    await Promise.all(Array.from({ length: 10 }, (_, m) => ada.agent({ name: `Filler ${n} ${m}` })))
  const messages = [{ role: 'user', content: '/say Stripes.' }]
  t.equal((await ada.post('/v1/agents/run', { agentId: zebra.id, messages })).status, 200)
  const tab = await open(ada, '/agents')
  const { page } = tab

  const row = page.getByRole('link', { name: 'Zebra' })
  await page.getByRole('link', { name: 'Filler' }).first().waitFor()
  t.equal(await row.count(), 0)
  await page.getByRole('searchbox', { name: 'Search agents' }).fill('zeb')
  await row.waitFor()
  t.equal(await page.getByRole('link', { name: 'Filler' }).count(), 0)
  await look(t, tab, 'agents searched')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('searchbox', { name: 'Search agents' }).fill('no such name')
  await page.getByText('No matching agents').waitFor()
  await look(t, tab, 'agents not found')
  await page.setViewportSize({ width: 1280, height: 800 })

  const palette = page.getByPlaceholder('Search by name or ID')
  for (const text of ['zebra', zebra.id]) {
    await page.keyboard.press('Control+k')
    await palette.fill(text)
    await page.getByRole('dialog').getByText('Zebra').waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
  }
  await page.keyboard.press('Control+k')
  await palette.fill('no such name')
  await page.getByText('No matching pages, commands or items').waitFor()
  await page.keyboard.press('Escape')

  await page.goto(`${booted.url}/console/runs`)
  await page.getByRole('cell', { name: 'Zebra' }).waitFor()
  const select = page.getByRole('combobox', { name: 'Agent' })
  await select.click()
  await select.fill('zebra')
  await page.getByRole('option', { name: 'Zebra' }).click()
  await page.waitForURL(/agent=agent_/)
  t.equal(await select.inputValue(), 'Zebra')
  await select.fill('no such name')
  await page.getByText('No matching agents').waitFor()
})
