import type { Kernel } from 'agent-platform'
import { unavailable } from 'agent-platform'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { HOME, PROXY_PORT } from '../local/surroundings.ts'
import type { Machine } from '../provider/machine.ts'
import type { ComputerSettings } from '../settings.ts'
import { bridge } from './bridge.ts'

export type Browsers = ReturnType<typeof createBrowsers>

/** The browser of a computer that is awake. */
export interface OpenBrowser {
  readonly context: BrowserContext
  /** The page that is driven. */
  page(): Promise<Page>
}

const CONNECT_MS = 20_000
const flags = [
  '--headless=new',
  // The computer itself is what confines it: inside of it nothing can make a namespace.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-breakpad',
  '--no-first-run',
  '--no-default-browser-check',
  '--mute-audio',
  '--password-store=basic',
  `--user-data-dir=${HOME}/.browser`,
  `--proxy-server=http://127.0.0.1:${PROXY_PORT}`,
  '--remote-debugging-pipe',
  'about:blank'
]

/** Browsers inside of computers, started when they are first driven, and ended with them. */
export function createBrowsers({ settings, log }: Pick<Kernel, 'log'> & { settings: ComputerSettings }) {
  const open = new Map<string, { it: Promise<OpenBrowser>; close: () => void; machine: Machine }>()
  const turns = new Map<string, Promise<unknown>>()

  async function start(machine: Machine, hear: (close: () => void) => void): Promise<OpenBrowser> {
    const bridged = await bridge(machine, [settings.browser, ...flags])
    hear(bridged.close)
    // Loaded by those who drive a browser alone: it is large.
    const { chromium } = await import('playwright-core')
    const failed = bridged.ended.then((end) => {
      const missing = end && ('fault' in end || end.exitCode === 127 || end.exitCode === 126)
      throw unavailable(
        missing
          ? `The computer has no ${settings.browser}: install Chromium on the machine`
          : 'The browser ended',
        { code: missing ? 'capability_missing' : 'browser_lost' }
      )
    })
    failed.catch(() => undefined)
    const connecting = chromium.connectOverCDP(bridged.url, { timeout: CONNECT_MS })
    connecting.catch(() => undefined)
    const browser: Browser = await Promise.race([connecting, failed])
    const session = await browser.newBrowserCDPSession()
    await session.send('Browser.setDownloadBehavior', {
      behavior: 'allow',
      downloadPath: `${HOME}/Downloads`
    })
    const [context] = browser.contexts()
    if (!context) throw new Error('The browser has no profile')
    return {
      context,
      async page() {
        const pages = context.pages()
        return pages[0] ?? context.newPage()
      }
    }
  }

  return {
    /** One thing at a time in each browser. */
    use<T>(id: string, machine: Machine, work: (browser: OpenBrowser) => Promise<T>): Promise<T> {
      const before = turns.get(id) ?? Promise.resolve()
      const done = before
        .catch(() => undefined)
        .then(async () => {
          const release = machine.hold()
          try {
            let known = open.get(id)
            if (known?.machine !== machine) {
              const made = { close: () => undefined as void, machine, it: undefined as never }
              const it = start(machine, (close) => {
                made.close = close
              })
              known = Object.assign(made, { it })
              open.set(id, known)
              const forget = () => {
                if (open.get(id) === known) open.delete(id)
              }
              it.then(({ context }) => context.on('close', forget), forget)
              void machine.ended.then(forget)
            }
            return await work(await known.it)
          } catch (error) {
            open.get(id)?.close()
            open.delete(id)
            throw error
          } finally {
            release()
          }
        })
      turns.set(id, done)
      done
        .catch(() => undefined)
        .then(() => {
          if (turns.get(id) === done) turns.delete(id)
        })
      return done
    },
    /** Another version takes over: it starts them anew, with the same profiles. */
    close(): void {
      for (const { close } of open.values()) close()
      if (open.size > 0) log.info({ browsers: open.size }, 'Browsers of computers are closed')
      open.clear()
    }
  }
}
