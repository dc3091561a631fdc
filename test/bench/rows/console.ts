import { readFile, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { build } from 'vite'
import { root } from '../../../kernel/deployment.ts'
import { browse } from '../../chromium.ts'
import { createClient } from '../../client.ts'
import { cookieOf } from '../../console/session.ts'
import { temporaryFolder, writeFiles } from '../../pack-folders.ts'
import { nameOf, startModel } from '../models.ts'
import { inTurns, median } from '../rounds.ts'
import type { Measure } from '../row.ts'
import { startRuns } from '../runners.ts'
import type { Scope } from '../scope.ts'

const TOKENS = 1_000
const EVENTS = 10_000
const ANSWERS = 50
/** In a quick round so many of them are followed, the last ones: the conversation is as long by then. */
const FOLLOWED = 10
/** From one token to the next: faster than models answer. */
const PACE_MS = 4

/** What a page can cost at least: a heading by React, built by Vite. */
async function startBarePage(scope: Scope): Promise<string> {
  const folder = await temporaryFolder(scope)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFiles(folder, {
    'index.html':
      '<!doctype html><title>Bare</title><div id="root"></div><script type="module" src="/main.js"></script>',
    'main.js': `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
createRoot(document.getElementById('root')).render(createElement('h1', null, 'Home'))`
  })
  await build({ root: folder, logLevel: 'error' })
  const server = createServer(async (request, response) => {
    const path = request.url === '/' ? 'index.html' : (request.url as string).slice(1)
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html'
    const text = await readFile(join(folder, 'dist', path)).catch(() => undefined)
    response.writeHead(text ? 200 : 404, { 'content-type': type }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  scope.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

interface Load {
  readonly bytes: number
  readonly ms: number
}

/** With nothing in the browser's cache: bytes over the wire until the heading stands there, and how long that took. */
async function load(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const begun = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  const ms = performance.now() - begun
  await page.close()
  return { bytes, ms }
}

/** Seconds that the page's main thread worked so far. */
async function busy(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
}

/** Times between frames from now on, in milliseconds. */
const recordFrames = (page: Page) =>
  page.evaluate(`{
    globalThis.frameTimes = []
    let last = performance.now()
    const next = (now) => { frameTimes.push(now - last); last = now; requestAnimationFrame(next) }
    requestAnimationFrame(next)
  }`)

async function openRun(page: Page, url: string) {
  const begun = performance.now()
  await page.goto(url)
  const events = page.getByRole('region', { name: 'Events' })
  await events.getByText('run_started').waitFor()
  await events.scrollIntoViewIfNeeded()
  const ms = performance.now() - begun
  await recordFrames(page)
  await events.hover()
  for (let turn = 0; turn < 60; turn++) await page.mouse.wheel(0, 4_000)
  return { ms, longest: Math.max(...((await page.evaluate('frameTimes')) as number[])) }
}

/** The console in a browser: its first load, a long run, and answers that are followed. */
export const measure: Measure = async (scope, quick) => {
  const model = await startModel(scope)
  const side = await startRuns(scope, model, undefined, ['console'])
  const ada = createClient(side.url, 'ada', side.key)
  const browser = await browse(scope)
  const context = await browser.newContext()
  await context.addCookies([await cookieOf(side, ada)])
  const bare = await startBarePage(scope)
  const address = `${side.url}/console`
  await load(context, address)
  const pairs = await inTurns(
    quick ? 3 : 7,
    () => load(context, `${address}/`),
    () => load(context, bare)
  )
  const own = pairs.map(([one]) => one as Load)
  const kilobytes = median(own.map(({ bytes }) => bytes)) / 1_024
  const first = median(own.map(({ ms }) => ms))
  const times = median(pairs.map(([one, other]) => (one as Load).ms / (other as Load).ms))

  const long = await ada.post('/v1/agents/run', await side.body({ tokens: EVENTS }))
  const page = await context.newPage()
  await page.goto(address)
  const { ms, longest } = await openRun(page, `${address}/runs/${long.body.data.id}?show=events`)

  const { agentId } = await side.body({ tokens: TOKENS })
  const conversation = (await ada.post('/v1/sessions', { agentId })).body.data.id
  const followed = quick ? FOLLOWED : ANSWERS
  for (let turn = followed; turn < ANSWERS; turn++)
    await ada.post('/v1/agents/run', { ...(await side.body({ tokens: TOKENS })), sessionId: conversation })
  const paced = { modelId: nameOf({ tokens: TOKENS, delay: PACE_MS }) }
  const { status, text } = await ada.put(`/v1/agents/${agentId}`, paced)
  if (status !== 200) throw new Error(`${status} ${text}`)
  await page.goto(`${address}/agents/${agentId}/chat?session=${conversation}`)
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  const before = { busy: await busy(session), at: performance.now() }
  for (let turn = 1; turn <= followed; turn++) {
    await page.getByRole('textbox', { name: 'Message' }).fill(`Answer ${turn}`)
    await page.keyboard.press('Enter')
    const answering = page.locator('article[aria-busy=true]').first()
    await answering.waitFor()
    await answering.waitFor({ state: 'detached', timeout: 60_000 })
  }
  const share = (await busy(session)) - before.busy
  const spent = (share * 1_000) / (performance.now() - before.at)
  return [
    {
      what: 'first load of the console, over the wire',
      reach: '≤ 350 KB',
      measured: `${kilobytes.toFixed(0)} KB`,
      met: kilobytes <= 350
    },
    {
      what: 'first load until it can be used, against a bare React page',
      reach: '≤ 1.5 s',
      measured: `${(first / 1_000).toFixed(2)} s (${times.toFixed(1)}×)`,
      met: first <= 1_500
    },
    {
      what: `a run of ${EVENTS.toLocaleString('en')} events opened, longest frame while it is scrolled`,
      reach: '≤ 1 s, ≤ 100 ms',
      measured: `${(ms / 1_000).toFixed(2)} s, ${longest.toFixed(0)} ms`,
      met: ms <= 1_000 && longest <= 100
    },
    {
      what: `${quick ? `the last ${followed} of ` : ''}${ANSWERS} streamed answers of ${TOKENS.toLocaleString('en')} tokens at ${1_000 / PACE_MS} a second, one after another in one conversation of one tab: its thread is busy`,
      reach: '≤ 50 %',
      measured: `${(spent * 100).toFixed(0)} %`,
      met: spent <= 0.5
    }
  ]
}
