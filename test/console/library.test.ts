// budget: 12 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

const note = '# A note\n\n<script>alert(1)</script> [here](javascript:alert(1))\n\nRead it.'

t.test('files are uploaded, looked at, described, shared and deleted in the browser', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const tab = await open(ada, '/library')
  const { page } = tab
  await page.getByText('The library is empty').waitFor()
  await look(t, tab, 'library none')

  await page.getByRole('button', { name: 'Upload files' }).first().click()
  const files = [
    { name: 'note.md', mimeType: 'text/markdown', buffer: Buffer.from(note) },
    {
      name: `<img src=x onerror=globalThis.ran=1>${'long-'.repeat(30)}name.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from('a,b\n1,2\n')
    }
  ]
  await page.getByLabel('Files to upload').setInputFiles(files)
  await page.getByText('uploaded').nth(1).waitFor()
  await look(t, tab, 'library upload')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'note.md' }).waitFor()
  await look(t, tab, 'library')
  t.equal(await page.evaluate('globalThis.ran'), undefined)

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('link', { name: 'note.md' }).click()
  await page.getByText('Read it.').waitFor()
  t.equal(
    await page.getByRole('region', { name: 'Preview' }).getByRole('link').count(),
    0,
    'nothing leads out'
  )
  await look(t, tab, 'library preview')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByLabel('Name').fill('Minutes.md')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Minutes.md' }).waitFor()
  await page.getByRole('tab', { name: 'Sharing' }).click()
  await page.getByRole('button', { name: 'New link' }).click()
  await page.getByLabel('Downloads at most').fill('2')
  await page.getByRole('button', { name: 'Make the link' }).click()
  const { pathname } = new URL(await page.getByRole('textbox', { name: 'Link' }).inputValue())
  const download = () => booted.anyone.get(pathname)
  t.equal((await download()).text, note)
  await look(t, tab, 'library link')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('There are no links.').waitFor()
  t.equal((await download()).status, 404)

  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByRole('button', { name: 'Delete file' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete file' }).click()
  await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor()
  await page.getByRole('link', { name: 'Minutes.md' }).waitFor({ state: 'detached' })
  t.equal((await ada.get('/v1/library')).body.data.length, 1)
})
