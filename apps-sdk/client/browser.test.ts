// tier: whole
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../../kernel/deployment.ts'
import { browse, noChromium as skip } from '../../test/chromium.ts'
import { temporaryFolder } from '../../test/pack-folders.ts'
import { buildClient } from './build.ts'
import { cuttingProxy, little, stage } from './testbed.ts'

/** What bare imports mean on the page. */
const imports = {
  'agent-platform-client': '/client/index.js',
  'openapi-fetch': '/modules/openapi-fetch/dist/index.mjs',
  'eventsource-parser': '/modules/eventsource-parser/dist/index.js'
}
const page = `<!doctype html><title>Client</title>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">
  import { ApiError, createClient } from 'agent-platform-client'
  window.play = async ({ baseUrl, apiKey, agentId }) => {
    const platform = createClient({ baseUrl, apiKey })
    const stream = platform.runs.stream({ agentId, messages: [{ role: 'user', content: '/wait 2\\n/repeat 60 word' }] })
    const events = []
    for await (const event of stream) events.push(event)
    const missing = await platform.get('/v1/agents/{agentId}', { params: { path: { agentId: 'none' } } }).catch((e) => e)
    const { status, type, requestId } = missing
    return { runId: stream.runId, events, error: { isApiError: missing instanceof ApiError, status, type, requestId } }
  }
</script>`

/** What the page tells of what it did. */
interface Played {
  readonly runId: string
  readonly events: readonly { readonly seq: number; readonly type: string; readonly content?: string }[]
  readonly error: object
}

t.test('a page streams a run, also over a way that breaks', { skip }, async (t) => {
  const folder = await temporaryFolder(t)
  await buildClient(folder)
  const site = await little(t, async ({ path }, _number, _, response) => {
    if (path === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    const [, where, ...rest] = path.split('/')
    const base = { client: folder, modules: join(root, 'node_modules') }[where ?? '']
    if (!base) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(await readFile(join(base, ...rest)))
  })
  const { booted, key, agent } = await stage(t, { env: { CORS_ORIGINS: site.url } })
  let connections = 0
  const way = await cuttingProxy(t, booted.url, () => (++connections <= 4 ? 700 * connections : undefined))
  const browser = await browse(t)
  const tab = await browser.newPage()
  await tab.goto(site.url)
  await tab.waitForFunction('window.play')
  for (const baseUrl of [booted.url, way.url]) {
    const settings = JSON.stringify({ baseUrl, apiKey: key, agentId: agent.id })
    const { runId, events, error } = await tab.evaluate<Played>(`play(${settings})`)
    t.match(runId, /^run_/)
    t.same(
      events.map(({ seq }) => seq),
      events.map((_, index) => index)
    )
    t.match(events.at(-1), { type: 'final', content: Array(60).fill('word').join(' ') })
    t.match(error, { isApiError: true, status: 404, type: 'not_found', requestId: /^req_/ })
  }
  t.ok(way.stats.cuts >= 2, `cuts: ${way.stats.cuts}`)
})
