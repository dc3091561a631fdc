// budget: 22 s, because a browser is shown what is meant to harm it
// tier: whole
import t from 'tap'
import { little } from '../../apps-sdk/client/testbed.ts'
import { look, skip, stage } from './testbed.ts'

/** Would tell that it ran. */
const scripts = [
  '<script>globalThis.ran = 1</script>',
  '<img src=x onerror="globalThis.ran = 1">',
  '<svg onload="globalThis.ran = 1">',
  '<iframe srcdoc="<script>parent.ran = 1</script>"></iframe>'
]
const links = [
  '[one](javascript:globalThis.ran=1)',
  '[two](data:text/html,<script>1</script>)',
  '<javascript:ran=1>'
]
const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const overlay =
  '<style>* { display: none !important }</style><div style="position:fixed;inset:0;z-index:9999">Sign in</div>'

t.test('what an agent says, and what things are called, does nothing to the page', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const agent = await ada.agent({ name: `"><img src=x onerror=ran=1>${'W'.repeat(150)}` })
  const says = async (text: string) => {
    const messages = [{ role: 'user', content: `/say ${text}` }]
    const reply = await ada.post('/v1/agents/run', { agentId: agent.id, messages })
    if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text.slice(0, 500)}`)
    t.equal(reply.body.data.status, 'completed')
    return reply.body.data
  }
  const { sessionId, id } = await says(['See', ...links, ...scripts, overlay].join(' '))
  const tab = await open(ada, `/agents/${agent.id}/chat?session=${sessionId}`)
  const { page } = tab
  const answer = page.getByRole('article', { name: /^Answer of/ })
  await answer.getByText('globalThis.ran = 1').first().waitFor()
  for (const name of ['one', 'two']) {
    const href = await answer.getByText(name, { exact: true }).getAttribute('href')
    t.ok(href === null || href === '', `${name}: ${href}`)
  }
  t.ok(await page.getByRole('heading', { level: 1 }).isVisible(), 'it lies over nothing')
  await look(t, tab, 'hostile chat')
  await page.goto(`${booted.url}/console/runs/${id}`)
  await page.getByRole('heading', { level: 1, name: 'Run' }).waitFor()
  await look(t, tab, 'hostile run')
  t.equal(await page.evaluate('globalThis.ran'), undefined)

  const line = 'x'.repeat(1_000_000)
  const called = await ada.post('/v1/agents/run', {
    agentId: agent.id,
    messages: [{ role: 'user', content: '/call dice {"sides":6}' }],
    cliTools: [{ name: 'dice' }]
  })
  const { id: runId, pending } = called.body.data
  const output = [...scripts, overlay, line].join(' ')
  const returned = { runId, callId: pending[0].callId, output }
  t.equal((await ada.post('/v1/agents/cli-tool-result', returned)).status, 200)
  await ada.get(`/v1/agents/runs/${runId}?wait=true`)
  await page.goto(`${booted.url}/console/runs/${runId}?show=timeline`)
  await page.getByRole('button', { name: /dice/ }).first().click()
  await page.getByText('globalThis.ran = 1').first().waitFor()
  await look(t, tab, 'hostile result of a tool')
  t.equal(await page.evaluate('globalThis.ran'), undefined)
})

t.test('what a knowledge document holds does nothing to the page', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const { id } = (await ada.post('/v1/knowledge', { name: '<b>Handbook</b>' })).body.data
  const text = [
    ...links,
    ...scripts,
    overlay,
    '![seen](https://example.com/seen.png)',
    '[![](https://example.com/in.png)](https://example.com)',
    `![dot](${dot})`,
    '[[<script>ran=1</script>]]'
  ]
  const content = `# <img src=x onerror=ran=1> Trains\n\n${text.join('\n\n')}\n\n${'x'.repeat(20_000)}\n\nThe end.`
  const files = [
    { path: 'trains.md', content },
    { path: '"><svg onload=ran=1>.md', content: '# Two\n\nSee [trains](trains.md).' }
  ]
  const imported = await ada.post(`/v1/knowledge/${id}/import`, { files })
  t.match(imported.body.data, { status: 'completed', created: 2 })

  const tab = await open(ada, `/knowledge/${id}`)
  const { page } = tab
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).host))
  await page.getByRole('link', { name: /Trains/ }).click()
  await page.getByText('The end.').waitFor()
  for (const name of ['one', 'two'])
    t.equal(await page.getByRole('link', { name, exact: true }).count(), 0, `${name} leads nowhere`)
  const outside = page.getByRole('link', { name: 'Image at example.com: seen' })
  t.equal(
    await outside.getAttribute('href'),
    'https://example.com/seen.png',
    'a link, as loading it would tell'
  )
  t.ok(await page.getByRole('link', { name: 'Image at example.com', exact: true }).isVisible())
  t.ok(await page.getByRole('img', { name: 'dot' }).isVisible(), 'what is in the text is shown')
  t.ok(await page.getByRole('heading', { level: 1 }).first().isVisible(), 'it lies over nothing')
  await look(t, tab, 'hostile document')
  for (const [view, shown] of [
    ['search', /globalThis.ran/],
    ['links', /Trains/]
  ] as const) {
    await page.goto(`${booted.url}/console/knowledge/${id}/${view}`)
    if (view === 'search') await page.getByLabel('Search this space').fill('globalThis ran')
    await page.getByText(shown).first().waitFor()
    await look(t, tab, `hostile ${view}`)
  }
  t.equal(await page.evaluate('globalThis.ran'), undefined)
  t.same(new Set(asked), new Set([new URL(booted.url).host]), 'nothing is fetched from elsewhere')
})

t.test('another origin can neither show nor ask the console', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const tab = await open(ada, '/agents')
  const { page } = tab
  await page.getByText('No agents yet').waitFor()
  const site = await little(t, ({ path }, _number, _, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(
      path === '/' ? `<!doctype html><title>Evil</title><iframe src="${booted.url}/console"></iframe>` : ''
    )
  })
  // The same host, by which a browser would send the cookie: another port is another origin.
  await page.goto(site.url)
  const shown = page.frames().find((frame) => frame.url().startsWith(booted.url))
  t.notOk(shown && (await shown.locator('#root').count()))
  const asked = await page.evaluate(
    async ([url, body]) => {
      const ask = (init: RequestInit) =>
        fetch(`${url}/v1/agents`, { credentials: 'include', mode: 'no-cors', ...init }).then(
          () => 'sent',
          () => 'refused'
        )
      return [await ask({}), await ask({ method: 'POST', body })]
    },
    [booted.url, JSON.stringify({ name: 'planted' })] as const
  )
  t.equal(asked.length, 2)
  t.same((await ada.get('/v1/agents')).body.data, [], 'nothing was planted')
})
