// budget: 10 s, because a browser signs people in to a platform with its identity provider
// tier: whole
import t from 'tap'
import { PASSWORD } from '../../plugins/identity/test/testbed.ts'
import { look, opener, people, skip } from './testbed.ts'

t.test('a person adds a passkey and signs in with it', { skip }, async (t) => {
  const { identity, url } = await people(t)
  const { knex } = identity.platform
  const open = await opener(t, { url })
  const tab = await open(undefined, '/account')
  const { page, faults } = tab
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  const device = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true
  } as const
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', { options: device })
  const [passwordHash] = await knex('identity.person')
    .where({ email: 'ada@example.com' })
    .select('passwordHash')
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
    // So that the next refusal is not taken for this one.
    await page.evaluate(`document.querySelector('[role=alert]').remove()`)
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

  // The page says the same as the one before it.
  const another = page.waitForEvent('framenavigated')
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
  await another
  await refused('as another person')

  await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.evaluate(`{
    const form = document.getElementById('passkey')
    form.dataset.asked = JSON.stringify({ ...JSON.parse(form.dataset.asked), userVerification: 'discouraged' })
  }`)
  const third = page.waitForEvent('framenavigated')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await third
  await refused('a device that did not look who holds it')
  await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })

  await knex('identity.passkey').update({ counter: 1_000 })
  await tryToSignIn()
  await refused('a copy of the device, which counts less')
  await knex('identity.passkey').update({ counter: 1 })
  await tryToSignIn()
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()

  // The same passkey on another device of the person, as those have it that are synced.
  const { credentials } = await devices.send('WebAuthn.getCredentials', { authenticatorId })
  const elsewhere = await open(undefined, '/account')
  const there = await elsewhere.page.context().newCDPSession(elsewhere.page)
  await there.send('WebAuthn.enable')
  const second = await there.send('WebAuthn.addVirtualAuthenticator', { options: device })
  for (const credential of credentials)
    await there.send('WebAuthn.addCredential', { authenticatorId: second.authenticatorId, credential })
  await elsewhere.page.getByRole('link', { name: 'Sign in' }).click()
  await elsewhere.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await elsewhere.page.getByRole('button', { name: 'Remove Laptop' }).waitFor()
  await elsewhere.page.getByText('this one').waitFor()

  await page.goto(`${url}/console/account`)
  const browsers = page.getByRole('table', { name: 'Where you are signed in' })
  await browsers.getByText('Chrome on Linux').first().waitFor()
  await look(t, tab, 'account with sessions')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByText('You are signed out everywhere else', { exact: true }).waitFor()
  await elsewhere.page.reload()
  await elsewhere.page.getByRole('link', { name: 'Sign in' }).waitFor()
  elsewhere.faults.length = 0 // the browser itself tells of the 401

  // Both count for themselves, which synced ones do not.
  await knex('identity.passkey').update({ counter: 1 })
  const age = () =>
    knex('identity.session').update({ authenticatedAt: knex.raw("now() - interval '11 minutes'") })
  const confirming = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await age()
  await page.getByRole('textbox', { name: 'New password' }).fill('another long sentence')
  await page.getByRole('button', { name: 'Change password' }).click()
  await confirming.getByLabel(/^Password/).fill('not the password')
  await confirming.getByRole('button', { name: 'Confirm' }).click()
  await confirming.getByRole('alert').waitFor()
  await confirming.getByRole('button', { name: 'Close' }).click()
  await page.getByText('nothing was changed').waitFor()
  await page.getByRole('button', { name: 'Change password' }).click()
  await confirming.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('The password is changed').waitFor()
  t.match(await knex('identity.person').where({ email: 'ada@example.com' }).select('passwordHash'), [
    { passwordHash: /^\$argon2id/ }
  ])
  await knex('identity.person')
    .where({ email: 'ada@example.com' })
    .update({ passwordHash: passwordHash.passwordHash })
  await age()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await confirming.waitFor()
  faults.length = 0 // the browser itself tells of the 403
  await look(t, tab, 'account confirming')
  await page.setViewportSize({ width: 1280, height: 800 })
  await confirming.getByLabel(/^Password/).fill(PASSWORD)
  await confirming.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('dialog', { name: 'Add a passkey' }).getByRole('button', { name: 'Cancel' }).click()
  faults.length = 0 // the browser itself tells of the 403

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
