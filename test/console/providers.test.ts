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
