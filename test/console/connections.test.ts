// budget: 20 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import t from 'tap'
import { json, service } from '../loopback.ts'
import { look, skip, stage } from './testbed.ts'

/** A provider whose user agrees by a button. */
async function provider(t: Parameters<typeof service>[0], platform: () => string) {
  const tokens = new Set<string>()
  const there = await service(t, (reply, { path, headers }) => {
    const url = new URL(path, 'http://127.0.0.1')
    const token = (headers.authorization ?? '').slice('Bearer '.length)
    if (url.pathname === '/authorize') {
      const { pathname } = new URL(url.searchParams.get('redirect_uri') ?? '')
      const back = new URL(pathname, platform())
      back.search = String(new URLSearchParams({ code: 'yes', state: url.searchParams.get('state') ?? '' }))
      const page = `<!doctype html><title>Notes</title><a href="${back.href.replaceAll('&', '&amp;')}">I agree</a>`
      reply.writeHead(200, { 'content-type': 'text/html' }).end(page)
    } else if (url.pathname === '/token') {
      const access_token = `token-${tokens.size}`
      tokens.add(access_token)
      json(reply, 200, {
        access_token,
        refresh_token: `again-${tokens.size}`,
        token_type: 'bearer',
        expires_in: 3_600
      })
    } else if (url.pathname === '/me')
      json(reply, tokens.has(token) ? 200 : 401, { id: 7, name: 'Ada at Notes' })
    else json(reply, 200, {})
  })
  return {
    ...there,
    settings: {
      key: 'notes',
      name: 'Notes',
      clientId: 'platform',
      clientSecret: 'a secret',
      authorizationUrl: `${there.url}/authorize`,
      tokenUrl: `${there.url}/token`,
      hosts: [there.host, 'notes.example'],
      scopes: [
        { name: 'notes.read', description: 'Read your notes', isDefault: true },
        { name: 'notes.write', description: 'Change your notes' }
      ],
      account: { url: `${there.url}/me`, label: ['/name'], id: ['/id'] },
      revocation: { url: `${there.url}/revoke`, style: 'rfc7009' }
    }
  }
}

t.test('a service is connected with consent, tried, and taken back', { skip }, async (t) => {
  let address = ''
  const there = await provider(t, () => address)
  const { booted, open } = await stage(t, {
    env: { OUTGOING_ALLOW: '127.0.0.1', OAUTH_PROVIDERS: JSON.stringify([there.settings]) }
  })
  address = booted.url
  const ada = booted.as('ada')
  const tab = await open(ada, '/connections')
  const { page } = tab
  await page.getByText('No connections yet').waitFor()
  await look(t, tab, 'connections none')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Connect a service' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Connect a service' })
  await dialog.getByText('OAUTH_GITHUB_CLIENT_ID').waitFor()
  t.equal(
    await dialog.getByRole('button', { name: 'GitHub' }).isDisabled(),
    true,
    'what is not configured is said so'
  )
  await look(t, tab, 'connections providers')
  await page.setViewportSize({ width: 1280, height: 800 })
  await dialog.getByRole('button', { name: 'Notes' }).click()
  await dialog.getByText('Your agents will act at Notes as you').waitFor()
  t.equal(await dialog.getByLabel('Read your notes').isChecked(), true)
  t.equal(await dialog.getByLabel('Change your notes').isChecked(), false)
  await look(t, tab, 'connections consent')
  await page.setViewportSize({ width: 1280, height: 800 })
  await dialog.getByLabel('Change your notes').check()
  await dialog.getByLabel('Name').fill('My notes')
  await dialog.getByRole('button', { name: 'Continue at Notes' }).click()
  await page.waitForURL(`${there.url}/authorize**`)
  const state = new URL(page.url()).searchParams.get('state') ?? ''
  t.equal(new URL(page.url()).searchParams.get('scope'), 'notes.read notes.write')

  const other = await open(undefined, '/')
  const reply = await other.page.goto(
    `${booted.url}/v1/oauth/callback/notes?${new URLSearchParams({ code: 'yes', state })}`
  )
  t.equal(reply?.status(), 400)
  await other.page.getByText('Another browser requested this').waitFor()
  t.equal(there.asked.filter(({ path }) => path === '/token').length, 0)

  await page.getByRole('link', { name: 'I agree' }).click()
  await page.getByText('My notes is connected').waitFor()
  await page.getByRole('cell', { name: 'Ada at Notes' }).waitFor()
  await look(t, tab, 'connections one')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('link', { name: 'My notes' }).click()
  await page.getByRole('heading', { level: 1, name: 'My notes' }).waitFor()
  await page.getByText('Change your notes').waitFor()
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByText('It works, as Ada at Notes').waitFor()
  await page.getByRole('button', { name: 'Renew' }).click()
  await page.getByText('Its token is renewed').waitFor()
  await look(t, tab, 'connection')
  const [{ id: connectionId }] = (await ada.get('/v1/oauth/connections')).body.data
  const connection = page.getByRole('combobox', { name: 'Connection', exact: true })
  const choose = async () => {
    await connection.click()
    await page.getByRole('option', { name: 'My notes (Ada at Notes)' }).click()
  }

  const config = { method: 'GET', url: `${there.url}/notes` }
  const made = await ada.post('/v1/tools', { name: 'list_notes', description: 'Lists them', config })
  const toolId = made.body.data.id
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${booted.url}/console/tools/${toolId}/credentials`)
  await page.getByText('its calls carry no credential').waitFor()
  await choose()
  await page.getByText('and nowhere else').waitFor()
  await page.getByRole('checkbox', { name: 'Change your notes' }).check()
  await look(t, tab, 'tool credentials')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('allowed notes.write').waitFor()
  t.match((await ada.get(`/v1/tool-keys/map?toolId=${toolId}`)).body.data, [
    { connectionId, scopes: ['notes.write'], in: 'header', name: 'authorization' }
  ])

  await page.goto(`${booted.url}/console/tool-servers?new`)
  await page.getByLabel('Name').fill('Notes by tools')
  await page.getByLabel('Address').fill(`${there.url}/mcp`)
  await page.getByRole('combobox', { name: 'Authorization' }).click()
  await page.getByRole('option', { name: 'A connection' }).click()
  const add = page.getByRole('dialog').getByRole('button', { name: 'Add server' })
  t.equal(await add.isDisabled(), true)
  await choose()
  await page.getByRole('checkbox', { name: 'Read your notes' }).check()
  await look(t, tab, 'tool server by a connection', { at: 1 })
  await add.click()
  await page.getByText('An OAuth connection').waitFor()
  t.match((await ada.get('/v1/mcp/servers')).body.data, [
    { auth: { type: 'connection', connectionId, scopes: ['notes.read'] } }
  ])

  const host = 'notes.example'
  const asking = (key: string, scopes: string[]) => ({
    key,
    name: key,
    hosts: [host],
    auth: { type: 'bearer' },
    oauth: { provider: 'notes', scopes }
  })
  const manifest = {
    manifestVersion: 1,
    id: 'notes-desk',
    name: 'Notes desk',
    version: '1.0.0',
    description: 'Shows notes',
    capabilities: [],
    egress: [{ host, reason: 'Your notes' }],
    connections: [asking('reading', ['notes.read']), asking('deleting', ['notes.delete'])],
    functions: [],
    pages: [{ name: 'main', title: 'Notes', entry: 'main.html' }]
  }
  const files = { 'main.html': { text: '<!doctype html><title>Notes</title>' } }
  t.match(await ada.put('/v1/ui-plugins', { manifest, files }), { status: 201 })
  await page.goto(`${booted.url}/console/apps/notes-desk/connections`)
  const use = page.getByRole('button', { name: 'Use connection' })
  await connection.first().click()
  await page.getByRole('option', { name: 'My notes (Ada at Notes)' }).click()
  await use.first().click()
  await page.getByText('One of yours stands for the key').waitFor()
  await connection.last().click()
  await page.getByRole('option', { name: 'My notes (Ada at Notes)' }).click()
  await page.getByText('It was not allowed enough').waitFor()
  await use.last().click()
  await page.getByText('My notes was not allowed notes.delete').waitFor()
  tab.faults.length = 0
  await look(t, tab, 'app connections by consent', { at: 1 })
  t.match((await ada.get('/v1/ui-plugins/notes-desk/connections')).body.data, [
    { status: 'set', connectionId },
    { status: 'missing', connectionId: null }
  ])

  await page.goto(`${booted.url}/console/connections/${connectionId}`)
  await page.getByRole('link', { name: 'list_notes' }).waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Revoke connection' }).click()
  const taking = page.getByRole('dialog', { name: 'Revoke My notes?' })
  await taking.getByText('Your agents can no longer act at Notes with this connection').waitFor()
  await taking.getByRole('button', { name: 'Revoke connection' }).click()
  await page.getByText('No connections yet').waitFor()
  t.equal(there.asked.filter(({ path }) => path === '/revoke').length, 1)
  t.same((await ada.get('/v1/oauth/connections')).body.data, [])
})
