// budget: 10 s, because a browser signs in to a platform with all its packs
// tier: whole
import t from 'tap'
import { PASSWORD } from '../../plugins/identity/test/testbed.ts'
import { look, opener, people, skip, stage } from './testbed.ts'

t.test('a link signs in once, and leaves the history', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const { url } = (await ada.post('/console/links')).body.data
  const path = url.slice(url.indexOf('/console') + '/console'.length)
  const { page, faults } = await open(undefined, path)
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  t.notMatch(page.url(), /code|sign-in/)
  const kept = 'document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })'
  t.notMatch(await page.evaluate(kept), /ap[kt]_/)
  await page.goBack()
  t.notMatch(page.url(), /code/)
  t.same(faults, [])

  // A person who is signed in is asked before a link has them work as another caller.
  const { hash } = new URL((await booted.as('bob').post('/console/links')).body.data.url)
  const other = `${booted.url}/console/sign-in${hash}`
  await page.goto(other)
  await page.getByText('You are signed in as ada').waitFor()
  t.notMatch(page.url(), /code/)
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await page.goto(other)
  await page.getByRole('button', { name: 'Sign in with this link' }).click()
  await page.getByRole('button', { name: 'bob' }).waitFor()

  const again = await open(undefined, path)
  await again.page.getByRole('alert').waitFor()
  again.faults.length = 0 // the browser itself tells of the 401
  await look(t, again, 'sign in refused')
})

t.test('a key signs in; signing out ends it', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const tab = await open(undefined, '/agents')
  const { page } = tab
  const ada = booted.as('ada')
  await ada.post('/v1/agents', { name: 'Cartographer' })
  await page.getByLabel('API key').fill(await ada.key())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()

  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await look(t, tab, 'home')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search by name or ID').fill('new agent')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New agent' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'New agent' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search by name or ID').fill('cartog')
  await page.getByRole('button', { name: /Cartographer/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Cartographer' }).waitFor()

  await page.getByRole('button', { name: 'ada' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

t.test('a person signs in by the identity provider and comes back to where it was', { skip }, async (t) => {
  const { url } = await people(t)
  const open = await opener(t, { url })
  const tab = await open(undefined, '/agents')
  const { page, faults } = tab
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  await look(t, tab, 'sign in beside the identity provider')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByLabel('Password').fill('something else')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').waitFor()
  faults.length = 0 // the browser itself tells of the 401
  await look(t, tab, 'sign in with a password')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  t.match(page.url(), /\/console\/agents$/)
  t.notMatch(await page.evaluate('document.cookie'), /./, 'no script sees a cookie')

  await page.getByRole('button', { name: /^ada/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Password').waitFor()
  await page.goBack()
  await page.goto(`${url}/console/sign-in/identity/callback?code=x&state=y`)
  await page.getByRole('alert').getByText('Begin once more').waitFor()
  t.same(faults, [])
})
