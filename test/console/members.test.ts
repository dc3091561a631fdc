// budget: 10 s, because a browser signs people in to a platform with its identity provider
// tier: whole
import t from 'tap'
import { clientOf, PASSWORD, personOf, tokensOf } from '../../plugins/identity/test/testbed.ts'
import { look, opener, people, skip } from './testbed.ts'

t.test('projects, their members and keys, and people', { skip }, async (t) => {
  const { identity, url } = await people(t)
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
  await page.getByText('do not have access').or(page.getByText('not found')).first().waitFor()
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
  await byToken.page.locator('pre').getByText(/^apk_/).waitFor()
})
