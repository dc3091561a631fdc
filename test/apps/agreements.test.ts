// budget: 5 s, because an app runs in a process of its own
import t from 'tap'
import { refuses, stage } from '../../plugins/ui-plugins/test/gateway/testbed.ts'
import { appOf } from '../../plugins/ui-plugins/test/testbed.ts'

const { booted, enable, probe } = await stage(t, { env: { UI_PLUGINS_OWNER_APPS: '6' } })
const { as, admin } = booted
const path = '/v1/ui-plugins'
const server = (body: string) => ({
  'server.js': { text: `export const functions = { forecast: async (input, context) => { ${body} } }` }
})
const forecast = (at: string, by = as('ada')) =>
  by.post(`${at}/gateway`, { method: 'functions.call', params: { name: 'forecast', input: {} } })

t.test('what was agreed to is what runs', async (t) => {
  const ada = as('ada')
  const at = `${path}/swaps`
  t.equal((await ada.put(path, appOf({ id: 'swaps' }, server('return 1')))).status, 201)
  t.match(await forecast(at), refuses(409, 'app_not_enabled'), 'no draft is called')
  t.match(await ada.get(`${at}/pages/main`), refuses(409, 'app_not_enabled'))
  await ada.put(`${at}/status`, { status: 'enabled' })
  t.match(await forecast(at), { body: { data: 1 } })
  t.match(await ada.put(path, appOf({ id: 'swaps' }, server('return 2'))), refuses(409, 'version_exists'))
  t.match(
    await ada.put(path, appOf({ id: 'swaps', description: 'Another one' }, server('return 1'))),
    refuses(409, 'version_exists')
  )
  const more = { id: 'swaps', version: '1.1.0', egress: [{ host: 'evil.example', reason: 'Forecasts' }] }
  await ada.put(path, { ...appOf(more, server('return 3')), activate: true })
  t.match(await forecast(at), { body: { data: 1 } }, 'an update that asks for more waits')
  t.match(
    (await ada.get(at)).body.data.consent.filter((it: { isNew: boolean }) => it.isNew),
    [{ kind: 'host', name: 'evil.example' }]
  )
  t.match(
    await ada.put(`${at}/grants`, { capabilities: [], hosts: ['evil.example'] }),
    refuses(400, undefined, '/hosts/0')
  )
  t.match(await ada.put(`${at}/grants`, { capabilities: [{ name: 'runs.start' }], hosts: [] }), refuses(400))
  await ada.put(path, { ...appOf({ id: 'swaps', version: '1.2.0' }, server('return 4')), activate: true })
  t.match(await forecast(at), { body: { data: 4 } }, 'one that asks for no more does not')
})

t.test('a warm program is not another one’s', async (t) => {
  const [ada, eve, zoe] = [as('ada'), as('eve'), as('zoe', { project: 'elsewhere' })]
  const at = `${path}/taken`
  await ada.put(path, appOf({ id: 'taken' }, server('globalThis.n = (globalThis.n ?? 0) + 1; return n')))
  t.match(await eve.put(path, appOf({ id: 'taken' })), refuses(403, 'not_owner'))
  await ada.put(`${at}/status`, { status: 'enabled' })
  t.equal((await forecast(at)).body.data, 1)
  t.match(await forecast(at, eve), refuses(403, 'not_owner'))
  t.match(await forecast(at, zoe), refuses(404))
  await zoe.put(path, appOf({ id: 'taken' }, server('globalThis.n = (globalThis.n ?? 0) + 1; return n')))
  await zoe.put(`${at}/status`, { status: 'enabled' })
  t.equal((await forecast(at, zoe)).body.data, 1, 'of each project its own')
  await ada.delete(at)
  t.match(await forecast(at), refuses(404))
  await eve.put(path, appOf({ id: 'taken' }, server('globalThis.n = (globalThis.n ?? 0) + 1; return n')))
  t.match((await forecast(at, eve)).status, /^40[49]$/, 'nothing is left of the one before')
  await eve.put(`${at}/status`, { status: 'enabled' })
  t.equal((await forecast(at, eve)).body.data, 1)
  await eve.delete(at)
})

t.test('an app that is turned off, or deleted, in the middle of a function does nothing more', async (t) => {
  const ada = as('ada')
  const body = `await context.platform.probe.act()
    try { return (await context.platform.agents.list()).data } catch ({ code }) { return code }`
  const app = await enable(ada, 'ends-app', { go: body })
  probe.act = async () => void (await ada.put(`${app.at}/status`, { status: 'off' }))
  t.equal((await app.call('go')).body.data, 'app_not_enabled')
  await ada.put(`${app.at}/status`, { status: 'enabled' })
  probe.act = async () => {
    await ada.delete(app.at)
    await enable(ada, 'ends-app', { go: 'return 1' })
  }
  t.match((await app.call('go')).body.data, /^app_not_enabled$/, 'one of the same id is not meant')
  await ada.delete(app.at)
})

t.test('changes at once leave one state, and no more apps than there may be', async (t) => {
  const ada = as('rita')
  const at = `${path}/races`
  const version = (n: number) =>
    ada.put(path, appOf({ id: 'races', version: `1.0.${n}` }, server(`return ${n}`)))
  await version(0)
  const replies = await Promise.all(
    Array.from({ length: 64 }, (_, n) =>
      [
        () => version(n),
        () => ada.put(`${at}/status`, { status: 'enabled' }),
        () => ada.put(`${at}/status`, { status: 'off' }),
        () => ada.put(`${at}/grants`, { capabilities: [{ name: 'agents.list' }], hosts: [] }),
        () => forecast(at, ada),
        () => ada.get(at),
        () => (n % 3 ? ada.get(path) : ada.delete(at)),
        () => ada.get(`${at}/versions`)
      ][n % 8]?.()
    )
  )
  for (const reply of replies) t.ok(reply && reply.status < 500, reply?.text ?? 'none')
  t.match((await version(99)).status, /^20[01]$/)
  t.equal((await ada.put(`${at}/status`, { status: 'enabled', version: '1.0.99' })).status, 200)
  t.match(await forecast(at, ada), { body: { data: 99 } })

  const many = await Promise.all(
    Array.from({ length: 12 }, (_, n) => ada.put(path, appOf({ id: `many-${n}` })))
  )
  t.equal(many.filter(({ status }) => status === 201).length, 5, 'with the one that is there')
  for (const reply of many.filter(({ status }) => status !== 201))
    t.match(reply, refuses(507, 'quota_exceeded'))
  const same = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      ada.put(path, appOf({ id: 'races', version: '2.0.0' }, server(`return ${n % 2}`)))
    )
  )
  t.same(
    [...new Set(same.map(({ status }) => status))].sort(),
    [200, 409],
    'of two contents one is the version'
  )
  t.equal(
    new Set(same.filter(({ status }) => status === 200).map(({ body }) => body.data.draft.digest)).size,
    1
  )
})

t.test('a page has no credential, no network, and no other type', async (t) => {
  const ada = as('ada')
  const html =
    '<meta http-equiv="Content-Security-Policy" content="default-src *"><base href="https://evil.example/"><meta http-equiv="x-dns-prefetch-control" content="on"><script>fetch("/v1/agents", { credentials: "include" }); top.location = "https://evil.example"</script>'
  const at = `${path}/framed`
  await ada.put(path, appOf({ id: 'framed' }, { 'pages/main.html': { text: html } }))
  await ada.put(`${at}/status`, { status: 'enabled' })
  const page = await ada.get(`${at}/pages/main`, { origin: 'null' })
  t.equal(page.status, 200)
  const policy = page.headers.get('content-security-policy') ?? ''
  for (const part of [
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts allow-forms;'
  ])
    t.ok(policy.includes(part), part)
  t.notMatch(policy, /allow-(?:same-origin|top-navigation|popups)/)
  t.match(Object.fromEntries(page.headers), {
    'x-content-type-options': 'nosniff',
    'connection-allowlist': '()',
    'x-dns-prefetch-control': 'off',
    'referrer-policy': 'no-referrer'
  })
  t.ok(
    page.text.indexOf("connect-src 'none'") < page.text.indexOf('default-src *'),
    'policies add up: its own takes nothing away'
  )
  t.ok(page.text.indexOf('content="off"') < page.text.indexOf('content="on"'))
  t.notOk(page.headers.get('set-cookie'))
  t.equal(page.headers.get('access-control-allow-origin'), null, 'no frame without an origin reads it')
  const cookies = { cookie: `session=${await ada.key()}; token=${await ada.key()}` }
  t.match(await booted.anyone.get(`${at}/pages/main`, cookies), refuses(401), 'no cookie is a credential')
  t.match(await booted.anyone.post(`${at}/gateway`, { method: 'agents.list' }, cookies), refuses(401))
  t.match(await ada.get(`${at}/pages/..%2fserver.js`), refuses(404))
  const form = await ada.request('POST', `${at}/gateway`, {
    body: 'method=agents.list',
    headers: { 'content-type': 'application/x-www-form-urlencoded' }
  })
  t.equal(form.status, 415, 'nor is a form a call')
  t.match(
    await admin.get(`${at}/pages/main`),
    refuses(409, 'app_not_enabled'),
    'a maintainer is not shown an owner’s page'
  )
})
