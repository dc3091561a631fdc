// budget: 12 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

t.test('an agent is exported, and its archive imported, in the browser', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const agent = await ada.agent({ name: 'Grace <b>Hopper</b>', modelProvider: 'openai' })
  const tab = await open(ada, `/agents/${agent.id}/export`)
  const { page } = tab
  await page.getByText('It was not exported yet').waitFor()
  await page.getByLabel('Conversations').check()
  await page.getByLabel('Files of its computer').check()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const link = page.getByRole('link', { name: /Download/ })
  await link.waitFor()
  await page.getByText('key: openai').waitFor()
  await look(t, tab, 'agent export')
  const [record] = (await ada.get('/v1/agents/exports')).body.data
  t.match(record, { status: 'completed', include: ['sessions', 'computer'] })
  t.match(await link.getAttribute('href'), `/v1/files/${record.fileId}/content`)

  await page.setViewportSize({ width: 1280, height: 800 })
  const bytes = await page.evaluate(async (path) => {
    const reply = await fetch(path)
    return [...new Uint8Array(await reply.arrayBuffer())]
  }, `/v1/files/${record.fileId}/content`)
  t.equal(bytes.length, record.size)

  const importing = await open(ada, '/archives')
  await importing.page.getByText('No agent was imported yet').waitFor()
  await importing.page.getByRole('button', { name: 'Import an agent' }).first().click()
  const dialog = importing.page.getByRole('dialog', { name: 'Import an agent' })
  const file = { name: 'grace.agent.zip', mimeType: 'application/zip', buffer: Buffer.from(bytes) }
  await dialog.locator('input[type=file]').setInputFiles(file)
  await dialog.getByText('Signed by a key that is trusted here').waitFor()
  await dialog.getByText('key openai').waitFor()
  await look(t, importing, 'agent import')
  await importing.page.setViewportSize({ width: 1280, height: 800 })
  await dialog.getByLabel('Name').fill('Ada')
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await importing.page.getByText('completed').waitFor()
  await importing.page.getByRole('link', { name: 'Ada' }).waitFor()
  await look(t, importing, 'archives')
  t.match((await ada.get('/v1/agents')).body.data, [{ name: 'Ada' }, { name: 'Grace <b>Hopper</b>' }])

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('It was not exported yet').waitFor()
})
