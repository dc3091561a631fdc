// budget: 12 s, because a browser signs in, and the command line asks as seldom as the protocol has it
// tier: whole
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { clientOf, identityOf, PASSWORD } from '../../plugins/identity/test/testbed.ts'
import { browse, noChromium } from '../chromium.ts'
import { temporaryFolder } from '../pack-folders.ts'
import { begin, commands } from './command.ts'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

t.test('a person signs in at a terminal by a browser', { skip: noChromium }, async (t) => {
  t.setTimeout(240_000)
  const identity = await identityOf(t)
  const { address } = identity
  const folder = await temporaryFolder(t)
  const file = join(folder, 'config', 'session.json')
  const env = { PLATFORM_URL: address, PLATFORM_SESSION_FILE: file }
  const { call, printed, json } = commands(env)
  const operator = commands({ ...env, PLATFORM_API_KEY: await identity.admin.key() })
  const invitation = (await operator.printed('people', 'invite', 'ada@example.com')).trim()

  const browser = await browse(t)
  const page = await browser.newPage()
  page.setDefaultTimeout(45_000)
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', ({ message }) => faults.push(message))
  const look = async () => {
    await page.evaluate(axe)
    const { violations } = (await page.evaluate('axe.run()')) as {
      violations: { id: string; help: string }[]
    }
    t.same(
      violations.map(({ id, help }) => `${id}: ${help}`),
      [],
      await page.title()
    )
  }

  await page.goto(invitation)
  await look()
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()

  t.match(await call('whoami'), { code: 1, err: /No one is signed in/ })
  const login = begin(t, env, ['login'])
  let told = ''
  login.child.stderr?.on('data', (text) => {
    told += text
  })
  while (!told.includes('user_code='))
    await new Promise((resolve) => login.child.stderr?.once('data', resolve))
  const [, shown = ''] = /enter ([A-Z]{4}-[A-Z]{4})/.exec(told) ?? []
  const [link = ''] = /http\S+user_code=\S+/.exec(told) ?? []
  await page.goto(link)
  await look()
  t.equal(
    await page.getByLabel('Code').inputValue(),
    shown,
    'the code stands there, and is sent by a person alone'
  )
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText(shown).waitFor()
  await look()
  await page.getByRole('button', { name: 'It is mine' }).click()
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByLabel('Password').fill('not the password')
  await look()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  faults.length = 0 // the browser itself tells of the 401
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('In the project').waitFor()
  await look()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Command line is connected').waitFor()
  t.same(faults, [])

  const { code, out } = await login.done
  t.equal(code, 0)
  t.match(out, /^Signed in as person_\w+ in project project_\w+/)
  t.equal((await stat(file)).mode & 0o777, 0o600)
  t.equal((await stat(join(folder, 'config'))).mode & 0o777, 0o700)

  const me = await json('whoami')
  t.match(me, { principalId: /^person_/, project: /^project_/ })
  t.match(await json('projects', 'mine'), [{ id: me.project, role: 'owner' }])
  t.match(await json('agents', 'list'), [], 'other commands use the session')

  const before = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...before, expiresAt: 0 }))
  const both = await Promise.all([
    begin(t, env, ['whoami', '--json']).done,
    begin(t, env, ['whoami', '--json']).done
  ])
  t.strictSame(
    both.map((one) => one.code),
    [0, 0],
    'two that refresh at once do not end the session'
  )
  t.equal((await stat(file)).mode & 0o777, 0o600)
  const after = JSON.parse(await readFile(file, 'utf8'))
  t.not(after.refreshToken, before.refreshToken)

  const { body: shop } = await clientOf(identity, { access_token: after.accessToken }).post('/v1/projects', {
    name: 'Shop'
  })
  t.match(await printed('projects', 'use', shop.data.id), shop.data.id)
  t.match(await json('whoami'), { principalId: me.principalId, project: shop.data.id })
  t.match(await call('projects', 'use', 'default'), { code: 1, err: /do not belong to project default/ })
  t.match(await json('whoami'), { project: shop.data.id }, 'and stays in the one before')
  const used = JSON.parse(await readFile(file, 'utf8'))

  t.equal(await printed('logout'), 'Signed out\n')
  t.match(await call('whoami'), { code: 1, err: /No one is signed in/ })
  await writeFile(file, JSON.stringify({ ...after, expiresAt: 0 }))
  t.match(await call('whoami'), { code: 1, err: /session has ended/ })

  const listed = await operator.json('people', 'list')
  t.match(listed, [{ id: me.principalId, email: 'ada@example.com', disabledAt: null }])
  t.match(await operator.printed('people', 'disable', me.principalId), 'ada@example.com is out')
  t.match(await operator.json('people', 'list'), [{ disabledAt: /^2/ }])
  t.match(await clientOf(identity, { access_token: used.accessToken }).get('/v1/auth/me'), { status: 401 })
  t.match(await operator.printed('people', 'enable', me.principalId), 'ada@example.com may sign in again')
  t.match(await operator.call('people', 'disable', 'person_01k4qz0000e0080000000000ab'), {
    code: 1,
    err: /Person not found/
  })
})
