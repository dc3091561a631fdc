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

t.test('a person adds a passkey and signs in with it', { skip }, async (t) => {
  const identity = await identityOf(t, { host: 'localhost' }, 'console', 'agents', 'access')
  await personOf(identity, 'ada@example.com')
  const { address: url } = identity
  const { knex } = identity.platform
  const open = await opener(t, { url })
  const tab = await open(undefined, '/account')
  const { page, faults } = tab
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('No passkeys yet').waitFor()
  const add = async (name: string) => {
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('button', { name: 'Go on' }).click()
  }
  await add('Laptop')
  await page.getByRole('button', { name: 'Remove Laptop' }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await look(t, tab, 'account with a passkey')
  await add('Laptop again')
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  t.equal((await knex('identity.passkey')).length, 1, 'one of a device')

  /** What the browser sends of what the device said. */
  const tryToSignIn = async () => {
    await page.context().clearCookies()
    await page.goto(`${url}/console/sign-in/identity?to=/agents`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    const sent = page.waitForRequest((request) => request.url().endsWith('/passkey'))
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    return new URLSearchParams((await sent).postData() ?? '').get('response') ?? ''
  }
  const response = await tryToSignIn()
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
  t.match(await knex('identity.passkey'), [{ lastUsedAt: /^2/ }])

  const refused = async (why: string) => {
    await page.getByText('That passkey is not known here').waitFor()
    faults.length = 0 // the browser itself tells of the 401
    t.notMatch(page.url(), /console\/agents/, why)
  }
  await page.context().clearCookies()
  await page.goto(`${url}/console/sign-in/identity`)
  await page.evaluate(`{
    const form = document.getElementById('passkey')
    form.elements.response.value = ${JSON.stringify(response)}
    form.submit()
  }`)
  await refused('what was sent before')
  await look(t, tab, 'sign in with a passkey refused')

  await page.evaluate(`{
    const form = document.getElementById('passkey')
    const { get } = navigator.credentials
    const asked = JSON.parse(form.dataset.asked)
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked)
    get.call(navigator.credentials, { publicKey }).then((it) => {
      const said = it.toJSON()
      said.response.userHandle = btoa('person_01k4qz0000e0080000000000ab')
      form.elements.response.value = JSON.stringify(said)
      form.submit()
    })
  }`)
  await refused('as another person')

  await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.evaluate(`{
    const form = document.getElementById('passkey')
    form.dataset.asked = JSON.stringify({ ...JSON.parse(form.dataset.asked), userVerification: 'discouraged' })
  }`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await refused('a device that did not look who holds it')
  await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })

  await knex('identity.passkey').update({ counter: 1_000 })
  await tryToSignIn()
  await refused('a copy of the device, which counts less')
  await knex('identity.passkey').update({ counter: 1 })
  await tryToSignIn()
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()

  await page.goto(`${url}/console/account`)
  await page.getByRole('button', { name: 'Rename Laptop' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Old laptop')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('button', { name: 'Remove Old laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No passkeys yet').waitFor()
  t.same(faults, [])
  await tryToSignIn()
  await refused('a passkey that was removed')
})
