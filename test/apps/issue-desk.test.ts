// budget: 5 s, because an app runs in a process of its own
// tier: whole
import t from 'tap'
import { run } from '../../plugins/runs/test/testbed.ts'
import { noChromium } from '../chromium.ts'
import { json, service } from '../loopback.ts'
import { stage } from './examples.ts'
import { openTab, startConsole } from './showing.ts'

const KEY = 'github_pat_11SECRET9f8e7d'
const issues = [{ number: 7, title: 'It rains', labels: [{ name: 'bug' }] }].map((it) => ({
  ...it,
  state: 'open',
  user: { login: 'ada' },
  comments: 0,
  updated_at: '2026-01-02T03:04:05Z',
  html_url: `https://github.com/ada/weather/issues/${it.number}`
}))

/** Stands in for GitHub: looks at the key, and keeps what is opened. */
const github = await service(t, (reply, { method, path, headers, body }) => {
  const url = new URL(path, 'http://x')
  const query = url.searchParams.get('q') ?? ''
  if (headers.authorization !== `Bearer ${KEY}`) return json(reply, 401, { message: 'Bad credentials' })
  if (query.includes('repo:ada/moved'))
    return reply.writeHead(302, { location: 'http://away.localhost/' }).end()
  // A service that tells the key to every caller.
  if (query.includes('repo:ada/echo'))
    return json(reply, 422, { message: `Not with ${headers.authorization}` })
  if (url.pathname === '/search/issues') {
    const [words = ''] = query.split('repo:')
    const items = issues.filter(({ title }) => title.includes(words.trim()))
    return json(reply, 200, { total_count: items.length, items })
  }
  if (method !== 'POST') return json(reply, 404, { message: 'Not Found' })
  const issue = { ...issues[0], ...JSON.parse(body), number: issues.length + 7, labels: [] }
  issues.push(issue)
  json(reply, 201, issue)
})
const site = await startConsole(t)
const { booted, publish, agentWith, ada, kim } = await stage(t, ['app-functions', 'app-storage', 'runs'], {
  env: { CORS_ORIGINS: site.url, OUTGOING_ALLOW: 'github.localhost', UI_PLUGINS_HTTP_EGRESS: 'true' }
})
const host = `github.localhost:${github.port}`
const app = await publish(ada, 'issue-desk', {
  audience: 'project',
  standIn: { for: 'api.github.com', host }
})
const connection = `${app.at}/connections/github`
const repository = 'ada/weather'
const search = (input: object = {}, by = ada) => app.call('search', { repository, ...input }, by)
const fails = (message: string | RegExp, code = 'app_error') => ({
  status: 502,
  body: { error: { code, message } }
})

t.test('without a key it says what is missing', async (t) => {
  t.match(await search(), fails(/No key was saved for github/, 'connection_missing'))
  t.match(await kim.put(connection, { value: KEY }), { status: 403 })
  t.equal((await ada.put(connection, { value: 'github_pat_of_somebody' })).status, 200)
  t.match(await search(), fails('GitHub does not accept the key of the connection: save another one'))
  t.equal((await ada.put(connection, { value: KEY })).status, 200)
})

t.test('an agent searches and opens issues, with a key that the platform puts in', async (t) => {
  const agent = await agentWith(ada, 'issue-desk__search', 'issue-desk__open')
  const tell = async (name: string, input: object) => {
    const asked = `/call issue-desk__${name} ${JSON.stringify({ repository, ...input })}`
    return JSON.parse((await run(ada, agent, asked)).body.data.content)
  }
  t.match(await tell('search', { text: 'rain' }), { total: 1, issues: [{ number: 7, title: 'It rains' }] })
  const before = github.asked.length
  t.match(await tell('open', { title: 'It snows', body: 'In June' }), { number: 8, author: 'ada' })
  t.match(github.asked.slice(before), [{ method: 'POST', path: '/repos/ada/weather/issues' }], 'once')
  t.same(JSON.parse(github.asked.at(-1)?.body ?? ''), { title: 'It snows', body: 'In June' })
  const { body } = await ada.get(`/v1/tools/calls?agentId=${agent.id}`)
  const [opened, searched] = body.data.map(({ usage }: { usage: { meter: string; quantity: string }[] }) =>
    Object.fromEntries(usage.map(({ meter, quantity }) => [meter, Number(quantity)]))
  )
  for (const amounts of [opened, searched]) {
    t.match(amounts, { 'app.functionCalls': 1, 'app.egressCalls': 1 }, 'what each took is in its record')
    t.ok(amounts['app.egressBytes'] > 0)
  }
  t.match((await search({}, kim)).body.data, { total: 2 }, 'others use it with the same key')
})

t.test('the key goes to its host alone, and is nowhere seen', async (t) => {
  const echoed = await search({ repository: 'ada/echo' })
  t.match(echoed, fails('GitHub says 422: Not with Bearer [redacted]'))
  const asked = github.asked.length
  t.match(await search({ repository: 'ada/moved' }), fails(/redirects a key elsewhere/, 'redirected'))
  t.equal(github.asked.length, asked + 1)
  const elsewhere = { url: 'https://example.com/', connection: 'github' }
  const refused = { status: 403, body: { error: { code: 'host_not_granted' } } }
  t.match(await app.ask('fetch', elsewhere), refused)

  const shown = await Promise.all(
    [app.at, `${app.at}/connections`, `${app.at}/logs?limit=100`, '/v1/tools/calls'].map((path) =>
      ada.get(path)
    )
  )
  const kept = await Promise.all(
    ['ui_plugins.connection', 'ui_plugins.app_log', 'kernel.fact'].map((table) => booted.platform.knex(table))
  )
  t.match(shown[2]?.text, /opened ada\/weather#8/, 'what it logs is there')
  for (const text of [
    echoed.text,
    ...shown.map(({ text }) => text),
    ...kept.map((rows) => JSON.stringify(rows))
  ])
    t.notOk(text.includes(KEY))
})

t.test('the page shows what an agent found, and searches', { skip: noChromium }, async (t) => {
  const { tab, faults, asks, show } = await openTab(t, site, booted)
  const input = { repository, text: 'rain' }
  const searched = await app.call('search', input)
  t.match(searched, { status: 200, body: { data: { total: 1 } } }, searched.text)
  const { data: result } = searched.body
  const asked = github.asked.length
  const view = { pluginId: 'issue-desk', page: 'issues' }
  const found = await show(ada, { ...view, input, result })
  await found.getByText('It rains').waitFor()
  t.equal(await found.getByLabel('Words').inputValue(), 'rain')
  t.equal(github.asked.length, asked, 'what was found is not looked for again')
  await found.getByText('It rains').click()
  await tab.waitForFunction('opened.length > 0')
  t.same(await tab.evaluate('opened'), ['https://github.com/ada/weather/issues/7'])

  await found.getByLabel('Words').fill('snow')
  const kept = asks('storage.set')
  await found.getByLabel('Words').press('Enter')
  await found.getByText('It snows').waitFor()
  t.equal(await found.getByRole('status').textContent(), '1 issue')
  t.match(github.asked.at(-1)?.path, /q=snow/)
  await kept
  const again = await show(ada, view)
  await again.getByRole('status').getByText('2 issues').waitFor()
  t.equal(await again.getByLabel('Repository').inputValue(), repository, 'each goes on where they were')
  await tab.setViewportSize({ width: 320, height: 700 })
  const over = await again.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  t.ok(over <= 0, `${over} pixels stick out`)
  t.same(faults, [])
})

t.test('a key that was turned off, and a host that was taken away', async (t) => {
  const asked = github.asked.length
  await ada.put(connection, { enabled: false })
  t.match(await search(), fails(/github is off/, 'connection_off'))
  await ada.put(connection, { enabled: true })
  await ada.put(`${app.at}/grants`, { capabilities: [], hosts: [] })
  t.match(await search(), fails(/was not granted to this app/, 'host_not_granted'))
  t.equal(github.asked.length, asked, 'nothing was sent')
})
