// budget: 15 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import t from 'tap'
import { createClient } from '../client.ts'
import { look, skip, stage } from './testbed.ts'

t.test('a liaison is made, speaks to an outsider, and is edited', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const tab = await open(ada, '/liaisons')
  const { page } = tab
  await page.getByText('No liaisons yet').waitFor()
  await look(t, tab, 'no liaisons')
  await page.getByRole('button', { name: 'New liaison' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Whom it stands for').last().fill('Ada Lovelace')
  await dialog.getByLabel('Name').fill('Front desk')
  await dialog.getByLabel('What it is there for').fill('Agree on a time for a call')
  await dialog.getByLabel('What it may tell').fill('Ada is free on Monday')
  await dialog.getByRole('button', { name: 'Create liaison' }).click()
  await dialog.getByText('Copy it now').waitFor()
  const token = /lia_[0-9a-z]{26}_[\w-]{43}/.exec((await dialog.textContent()) ?? '')?.[0] ?? ''
  await look(t, tab, 'a liaison’s token')
  await dialog.getByRole('button', { name: 'I have copied it' }).click()

  const outsider = createClient(booted.url, 'outsider', token)
  const name = 'Charles <script>alert(1)</script>'
  const said = await outsider.post('/v1/liaison/interact', { message: 'Good morning', name })
  t.match(said, { status: 200, body: { data: { status: 'answered' } } })
  await page.getByRole('link', { name: 'Front desk' }).click()
  await page.getByRole('link', { name }).waitFor()
  await look(t, tab, 'a liaison')
  await page.getByRole('button', { name: /^Block Charles/ }).click()
  await page.getByRole('button', { name: /^Let speak Charles/ }).waitFor()
  const own = createClient(booted.url, 'outsider', said.body.data.token)
  t.equal((await own.post('/v1/liaison/interact', { message: 'Hello?' })).status, 403)
  await page.getByLabel('What it may tell').fill('Ada is free on Tuesday')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').first().waitFor()
  t.match((await ada.get('/v1/liaison')).body.data, [{ mayTell: 'Ada is free on Tuesday', version: 2 }])

  const eve = await open(booted.as('eve'), new URL(page.url()).pathname.replace('/console', ''))
  await eve.page.getByText(/do not have access/).waitFor()
  t.match(eve.faults, [/403/])
})
