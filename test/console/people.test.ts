// budget: 12 s, because a browser signs people in to a platform with all its packs
import t from 'tap'
import { identityOf, PASSWORD, personOf } from '../../plugins/identity/testbed.ts'
import { look, opener, skip } from './testbed.ts'

t.test('a person signs in by the identity provider and comes back to where it was', { skip }, async (t) => {
  const identity = await identityOf(t, {}, 'console', 'agents', 'access')
  await personOf(identity, 'ada@example.com')
  const { address: url } = identity
  const open = await opener(t, { url })
  const tab = await open(undefined, '/agents')
  const { page, faults } = tab
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  await look(t, tab, 'sign in beside the identity provider')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByLabel('Password').fill('something else')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  faults.length = 0 // the browser itself tells of the 401
  await look(t, tab, 'sign in with a password')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  t.match(page.url(), /\/console\/agents$/)
  t.notMatch(await page.evaluate('document.cookie'), /./, 'no script sees a cookie')

  await page.getByRole('button', { name: /person_/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Password').waitFor()
  await page.goBack()
  await page.goto(`${url}/console/sign-in/identity/callback?code=x&state=y`)
  await page.getByRole('alert').getByText('Begin once more').waitFor()
  t.same(faults, [])
})
