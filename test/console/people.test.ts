// budget: 16 s, because a browser signs people in to a platform with all its packs
import t from 'tap'
import { clientOf, identityOf, PASSWORD, personOf, tokensOf } from '../../plugins/identity/testbed.ts'
import { look, opener, skip } from './testbed.ts'

// Of all tests of this file: by the name of a host, which passkeys need.
let place: ReturnType<typeof identityOf> | undefined
async function shared() {
  place ??= identityOf(t, { host: 'localhost' }, 'console', 'agents', 'access').then(async (identity) => {
    await personOf(identity, 'ada@example.com')
    return identity
  })
  const identity = await place
  return { identity, url: identity.address }
}

t.test('a person signs in by the identity provider and comes back to where it was', { skip }, async (t) => {
  const { url } = await shared()
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

t.test('a person adds a passkey and signs in with it', { skip }, async (t) => {
  const { identity, url } = await shared()
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

t.test('projects, their members and keys, and people', { skip }, async (t) => {
  const { identity, url } = await shared()
  await personOf(identity, 'op@example.com', { isOperator: true })
  const open = await opener(t, { url })
  const tab = await open(undefined, '/projects')
  const { page, faults } = tab
  const dialog = page.getByRole('dialog')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const submit = async (label: string, value: string, name: string) => {
    await dialog.getByRole('textbox', { name: label }).fill(value)
    await dialog.getByRole('button', { name, exact: true }).click()
  }
  const copied = async () => {
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    while ((await dialog.count()) > 0) await dialog.first().waitFor({ state: 'detached' })
  }
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail address').fill('op@example.com')
  await page.getByLabel('Password').fill(PASSWORD)
  await button('Sign in').click()
  await page.getByRole('link', { name: 'Project of op' }).waitFor()
  await page.goto(`${url}/console/projects?new`)
  await dialog.getByRole('radio', { name: 'Test' }).check()
  await submit('Name', 'Shop', 'Create project')
  await page.getByRole('link', { name: 'Shop' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await look(t, tab, 'projects')
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.getByRole('link', { name: 'Shop' }).click()
  await button('Invite').click()
  await submit('E-mail address', 'gus@example.com', 'Invite')
  await dialog.getByText('/identity/invitations/').waitFor()
  await copied()
  const age = () => {
    const { knex } = identity.platform
    return knex('identity.session').update({ authenticatedAt: knex.raw("now() - interval '11 minutes'") })
  }
  const confirming = page.getByRole('dialog', { name: 'Confirm that it is you' })
  const confirm = async () => {
    await confirming.getByLabel(/^Password/).fill(PASSWORD)
    await confirming.getByRole('button', { name: 'Confirm' }).click()
    faults.length = 0 // the browser itself tells of the 403
  }
  await age()
  await button('New key').click()
  const naming = page.getByRole('dialog', { name: 'New key' })
  await naming.getByRole('radio', { name: 'A service' }).check()
  await naming.getByRole('textbox', { name: 'Name' }).fill('Nightly report')
  await naming.getByRole('button', { name: 'Create key' }).click()
  await confirm()
  await dialog.getByText(/^ap_test_/).waitFor()
  await copied()
  await page.getByRole('button', { name: 'Revoke Nightly report' }).waitFor()
  await page.mouse.move(0, 0)
  await page.getByRole('tooltip').waitFor({ state: 'detached' })
  await look(t, tab, 'project')
  await page.setViewportSize({ width: 1280, height: 800 })
  await button('Withdraw the invitation of gus@example.com').click()
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('cell', { name: 'gus@example.com', exact: true }).waitFor({ state: 'detached' })
  await button('Leave the project').click()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await page.getByText('A project keeps an owner').waitFor()
  faults.length = 0 // the browser itself tells of the 409
  await button('Rename').click()
  await submit('Name', 'Old shop', 'Rename')
  await page.getByRole('heading', { level: 1, name: 'Old shop' }).waitFor()

  await age()
  const back = page.url()
  await page.goto(`${url}/console/api-keys?new`)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Laptop')
  await button('Create key').click()
  await confirming.getByRole('button', { name: 'Close' }).click()
  await dialog.getByText('nothing was changed').waitFor()
  await button('Create key').click()
  await confirm()
  await dialog.getByText(/^apk_/).waitFor()
  t.equal(
    (await identity.platform.knex('kernel.credential').where({ name: 'Laptop' })).length,
    1,
    'one, and only once it was confirmed'
  )
  await button('I have copied it').click()
  await page.goto(back)

  await page.getByRole('link', { name: 'Work in it' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  const session = await page.evaluate<{ data: { principal: { project: string } } }>(
    `fetch('${url}/console/session').then((it) => it.json())`
  )
  const { project } = session.data.principal
  t.match(await identity.platform.knex('identity.project').where({ id: project }), [{ name: 'Old shop' }])
  await page.goto(`${url}/console/projects/${project}`)
  await button('Close project').click()
  await dialog.getByText('What is in the project is not deleted').waitFor()
  await dialog.getByRole('button', { name: 'Close project' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByText('belongs to someone else').or(page.getByText('not found')).first().waitFor()
  faults.length = 0 // the browser itself tells of the 401 and the 404

  await page.goto(`${url}/console/projects`)
  await page.getByRole('link', { name: 'People' }).click()
  await button('Disable ada').click()
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await button('Enable ada').waitFor()
  await page.mouse.move(0, 0)
  await look(t, tab, 'people')
  await page.setViewportSize({ width: 1280, height: 800 })
  await button('Enable ada').click()
  await button('Disable ada').waitFor()
  await button('Invite').click()
  await dialog.getByRole('checkbox').check()
  await age()
  await submit('E-mail address', 'second@example.com', 'Invite')
  await confirm()
  await dialog.getByText('/identity/invitations/').waitFor()
  t.match(await identity.platform.knex('identity.invitation'), [
    { email: 'second@example.com', isOperator: true }
  ])
  await copied()
  await page.getByRole('table', { name: 'Invitations' }).getByText('second@example.com').waitFor()
  await button('Invite').click()
  await dialog.getByRole('checkbox').uncheck()
  await dialog.getByLabel('Project').fill('default')
  await dialog.getByLabel('Role in it').click()
  await page.getByRole('option', { name: 'Member' }).click()
  await submit('E-mail address', 'third@example.com', 'Invite')
  await copied()
  await page.getByRole('table', { name: 'Invitations' }).getByText('third@example.com').waitFor()
  t.match(await identity.platform.knex('identity.invitation').where({ email: 'third@example.com' }), [
    { project: 'default', role: 'member', isOperator: false }
  ])
  await page.mouse.move(0, 0)
  await look(t, tab, 'people and invitations')
  await page.setViewportSize({ width: 1280, height: 800 })
  await button('Withdraw the invitation of second@example.com').click()
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await button('Withdraw the invitation of second@example.com').waitFor({ state: 'detached' })
  await button('Ways in of ada').click()
  await dialog.getByText('By no account elsewhere').waitFor()
  await page.mouse.move(0, 0)
  await look(t, tab, 'ways in')
  await page.setViewportSize({ width: 1280, height: 800 })
  await age()
  await button('Reset the password').click()
  const asked = page.getByRole('dialog', { name: 'Make a link for ada?' })
  await asked.getByText('signed out everywhere').waitFor()
  await asked.getByRole('button', { name: 'Reset the password' }).click()
  await confirm()
  const link = (await page.getByText(/identity\/resets\/reset_/).textContent()) ?? ''
  await button('I have copied it').click()
  const ada = await open(undefined, '/')
  await ada.page.goto(link.trim())
  await ada.page.getByText('Set a new password').first().waitFor()
  await look(t, ada, 'password reset')
  await ada.page.getByLabel('New password').fill('short')
  await ada.page.getByRole('button', { name: 'Set the password' }).click()
  await ada.page.getByRole('alert').getByText('10 to 200 characters').waitFor()
  ada.faults.length = 0 // the browser itself tells of the 400
  await ada.page.getByLabel('New password').fill('a quiet river at night')
  await ada.page.getByRole('button', { name: 'Set the password' }).click()
  await ada.page.getByText('You are signed out everywhere').waitFor()
  t.same(ada.faults, [])
  await button('Take the link back').click()
  await page.getByText('This did not work').waitFor()
  faults.length = 0 // the browser itself tells of the 404
  await dialog.getByRole('button', { name: 'Close' }).click()
  t.same(faults, [])
  const key = await open(identity.as('bob'), '/projects')
  await key.page.getByText('You signed in with a key').waitFor()
  key.faults.length = 0 // the browser itself tells of the 403
  await look(t, key, 'projects for a key', { at: 1 })

  // A session that an access token opened tells nobody who sits there: it leads to signing in, and back.
  const byToken = await open(clientOf(identity, await tokensOf(identity, 'op@example.com')), '/api-keys?new')
  const make = async () => {
    await byToken.page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('By a token')
    await byToken.page.getByRole('button', { name: 'Create key' }).click()
  }
  await make()
  await byToken.page.getByText('This browser was signed in by an access token').waitFor()
  await byToken.page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await byToken.page.getByLabel('E-mail address').fill('op@example.com')
  await byToken.page.getByLabel('Password').fill(PASSWORD)
  await byToken.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await make()
  await byToken.page.getByText(/^apk_/).waitFor()
})
