// budget: 12 s, because a browser signs people in to a platform with all its packs
import t from 'tap'
import { identityOf, PASSWORD, personOf } from '../../plugins/identity/testbed.ts'
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
  const { identity, url } = await shared()
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
  await button('New key').click()
  await dialog.getByRole('radio', { name: 'A service' }).check()
  await submit('Name', 'Nightly report', 'Create key')
  await dialog.getByText(/^ap_test_/).waitFor()
  await copied()
  await page.getByRole('button', { name: 'Revoke Nightly report' }).waitFor()
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
  await submit('E-mail address', 'second@example.com', 'Invite')
  await dialog.getByText('/identity/invitations/').waitFor()
  t.match(await identity.platform.knex('identity.invitation'), [
    { email: 'second@example.com', isOperator: true }
  ])
  t.same(faults, [])
  const key = await open(identity.as('bob'), '/projects')
  await key.page.getByText('You signed in with a key').waitFor()
  key.faults.length = 0 // the browser itself tells of the 403
  await look(t, key, 'projects for a key', { at: 1 })
})
