import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Test } from 'tap'
import tap from 'tap'
import { root } from '../../kernel/deployment.ts'
import type { Booted, BootOptions } from '../boot.ts'
import { boot } from '../boot.ts'
import { browse, noChromium } from '../chromium.ts'
import type { Client } from '../client.ts'
import { cookieOf } from './session.ts'

/** Pictures of what the tests look at, for people. */
const pictures = join(root, '.tap', 'console')
const isBuilt = existsSync(join(root, 'plugins/console/dist/index.html'))

/** Why tests of the console are left out; false where they are not. */
export const skip = noChromium || (!isBuilt && '`npm run build:console` has not been run')

/** Wide and light, narrow and dark; the other two as well by `npm run test:faults`. */
const appearances = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' }
] as const
const isLong = process.env.TEST_FAULTS === 'long'

export interface Opened {
  readonly page: Page
  /** What the browser complained of, violations of the page's policy among it, and replies above 499. */
  readonly faults: string[]
}

// Those of all tests of this process, which go with it.
let platform: Promise<Booted> | undefined
let browser: ReturnType<typeof browse> | undefined
let projects = 0

/** The platform that all tests share, as it is for a project of its own. */
async function shared(): Promise<Booted> {
  platform ??= boot(tap)
  const booted = await platform
  const project = `console-${++projects}`
  return { ...booted, as: (name, options) => booted.as(name, { project, ...options }) }
}

/**
 * A platform with all its packs, and a browser whose tabs are signed in. With options, if only `{}`, the platform is the test's own:
 * for what changes packs.
 */
export async function stage(t: Test, options?: BootOptions) {
  const booted = await (options ? boot(t, options) : shared())
  return { booted, open: await opener(t, booted) }
}
export type Stage = Awaited<ReturnType<typeof stage>>

/** The browser that all tests share opens tabs of a console. */
export async function opener(t: Test, place: Pick<Booted, 'url'>) {
  browser ??= browse(tap)
  const opened = await browser

  /** A tab of a browser of its own, signed in as the client unless that is undefined. */
  return async function open(
    client: Client | undefined,
    path: string,
    options: BrowserContextOptions = {}
  ): Promise<Opened> {
    const context = await opened.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    t.teardown(async () => {
      if (!t.passing() && !page.isClosed()) await page.screenshot({ path: await picture(`failed ${t.name}`) })
      await context.close()
    })
    if (client) await context.addCookies([await cookieOf(place, client)])
    context.setDefaultTimeout(45_000)
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('response', (reply) => reply.status() > 499 && faults.push(`${reply.status()} ${reply.url()}`))
    await page.goto(`${place.url}/console${path}`)
    return { page, faults }
  }
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/**
 * Looks at what is open, wide and narrow, light and dark: nothing breaks the rules of accessibility that axe knows, nothing is
 * wider than the screen, the browser complained of nothing. Leaves a picture of each under that name.
 */
export async function look(t: Test, tab: Opened, name: string, { at = isLong ? 4 : 2 } = {}): Promise<void> {
  const { page } = tab
  for (const { width, colorScheme } of appearances.slice(0, at)) {
    const what = `${name} ${width} ${colorScheme}`
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await settled(page)
    await page.screenshot({ path: await picture(what) })
    // By the debugger, which the page's policy does not bind.
    await page.evaluate(axe)
    const { violations } = (await page.evaluate('axe.run()')) as { violations: Violation[] }
    const told = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`
    )
    t.same(told, [], `${what}: axe`)
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    t.equal(await page.evaluate(overflow), 0, `${what}: nothing is wider than the screen`)
  }
  t.same(tab.faults, [], `${name}: the browser complains of nothing`)
}

async function picture(name: string): Promise<string> {
  await mkdir(pictures, { recursive: true })
  return join(pictures, `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png`)
}

/**
 * Once no button waits for what it began, all is loaded, and what moves has come to rest: axe takes a colour that fades in for one that is too
 * faint.
 */
async function settled(page: Page): Promise<void> {
  for (const waits of ['[data-loading]', '.mantine-Skeleton-root'])
    await page.locator(waits).first().waitFor({ state: 'detached' })
  await page.evaluate(
    'Promise.all(document.getAnimations().filter((it) => it.effect?.getTiming().iterations !== Infinity).map((it) => it.finished.catch(() => 0)))'
  )
}

export interface StatesOf {
  readonly name: string
  readonly path: string
  /** What it reads, as the address begins. */
  readonly reads: string
  /** What it says where there is nothing yet. */
  readonly empty: string
}

/** What all pages say in the same way. */
const once = { at: isLong ? 4 : 1 }

/** What a page shows where there is nothing, where what it reads fails for once, and who may not read it. */
export async function states(
  t: Test,
  { booted, open }: Stage,
  client: Client,
  { name, path, reads, empty }: StatesOf
): Promise<void> {
  const tab = await open(client, path)
  const { page, faults } = tab
  await page.getByText(empty).first().waitFor()
  await look(t, tab, `${name} none`)

  const failure = { type: 'api_error', message: 'The database is away', requestId: 'req_of_this_failure' }
  const isRead = (url: URL) => url.pathname.startsWith(reads)
  await page.route(isRead, (route) => route.fulfill({ status: 500, json: { error: failure } }))
  await page.reload()
  const told = page.getByRole('alert').filter({ hasText: 'This did not work' }).first()
  await told.getByText('The database is away').waitFor()
  await told.getByText('req_of_this_failure').waitFor()
  // The browser itself tells of the 500, each time that the page asks again.
  const others = {
    page,
    get faults() {
      return faults.filter((it) => !/\b500\b/.test(it))
    }
  }
  await look(t, others, `${name} fails`, once)
  await page.unroute(isRead)
  await told.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(empty).first().waitFor()
  await page.context().close()

  const narrowed = await open(booted.as(client.id, { scopes: ['files:read'] }), path)
  await narrowed.page.getByText('You may not see this').first().waitFor()
  await narrowed.page
    .getByText(/^Request/)
    .first()
    .waitFor()
  narrowed.faults.length = 0 // the browser itself tells of the 403
  await look(t, narrowed, `${name} refused`, once)
}
