import { build } from 'esbuild'
import type { Frame } from 'playwright-core'
import { root } from '../../kernel/deployment.ts'
import type { Booted } from '../boot.ts'
import { browse } from '../chromium.ts'
import type { Client } from '../client.ts'
import { serve } from '../loopback.ts'

type Scope = Parameters<typeof serve>[0]

/** The page of a console: shows pages of apps with the credential of the person who looks at them. */
const script = `
  import { showPage } from 'agent-platform-app/host'
  import { createClient } from 'agent-platform-client'
  window.opened = []
  window.show = async ({ baseUrl, apiKey, ...options }) => {
    await window.shown?.close()
    window.shown = await showPage({
      ...options,
      client: createClient({ baseUrl, apiKey }),
      container: document.querySelector('main'),
      openLink: (url) => opened.push(url) > 0
    })
    await window.shown.connected
  }`

/** Where a console is served; a platform lets it in by `CORS_ORIGINS`. */
export async function startConsole(t: Scope) {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: root },
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'silent'
  })
  const html =
    '<!doctype html><title>Console</title><main></main><script type="module" src="/console.js"></script>'
  return serve(t, ({ url }, reply) => {
    const [type, body] =
      url === '/console.js' ? ['text/javascript', outputFiles[0]?.text] : ['text/html', html]
    reply.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body)
  })
}

interface Shown {
  readonly pluginId: string
  readonly page: string
  readonly input?: object
  readonly result?: unknown
}

/** A tab of a browser with that console in it. */
export async function openTab(t: Scope, { url }: { readonly url: string }, booted: Booted) {
  const browser = await browse(t)
  const tab = await browser.newPage({ viewport: { width: 900, height: 800 } })
  /** What went wrong in the page or the console. */
  const faults: string[] = []
  tab.on('pageerror', ({ message }) => faults.push(message))
  await tab.goto(url)
  await tab.waitForFunction('window.show')

  /** Resolves when the platform has answered a page that asked for that. */
  const asks = (method: string) =>
    tab.waitForResponse((reply) => reply.request().postData()?.includes(JSON.stringify(method)) ?? false)

  /** Shows a page as a person sees it. */
  async function show(client: Client, page: Shown): Promise<Frame> {
    const order = {
      baseUrl: booted.url,
      apiKey: await client.key(),
      context: { theme: 'light', locale: 'en' },
      ...page
    }
    await tab.evaluate(`show(${JSON.stringify(order)})`)
    // The console's, the one between, and the page's, which is told of in any order.
    for (;;) {
      const inner = tab.frames().filter((frame) => frame.parentFrame()?.parentFrame())
      if (inner.length === 1) return inner[0] as Frame
      await tab.waitForEvent('frameattached', { timeout: 100 }).catch(() => undefined)
    }
  }

  return { tab, faults, asks, show }
}
