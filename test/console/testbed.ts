import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Test } from 'tap'
import tap from 'tap'
import { root } from '../../kernel/deployment.ts'
import { identityOf, personOf } from '../../plugins/identity/test/testbed.ts'
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

/** Wide and light, narrow and dark; in the tier `long`, the other two as well. */
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

/** The platform that all tests share, as it is for a project of its own. It reaches what listens on this machine. */
async function shared(): Promise<Booted> {
  platform ??= boot(tap, { env: { OUTGOING_ALLOW: '127.0.0.1/32' } })
  const booted = await platform
  const project = `console-${++projects}`
  return { ...booted, as: (name, options) => booted.as(name, { project, ...options }) }
}

/** A platform of the test's own with an identity provider, by the name of a host, which passkeys need; Ada is registered. */
export async function people(t: Test) {
  const identity = await identityOf(t, { host: 'localhost' }, 'console', 'agents', 'access')
  await personOf(identity, 'ada@example.com')
  return { identity, url: identity.address }
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
    const context = await opened.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...options
    })
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
/** What breaks a rule, by the rule; of what keeps them nothing is collected, which would take as long again. */
const violations = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`

/**
 * Looks at what is open, wide and narrow, light and dark: nothing breaks the rules of accessibility that axe knows, nothing is
 * wider than the screen, the browser complained of nothing. Leaves a picture of each under that name.
 */
export async function look(t: Test, tab: Opened, name: string, { at = isLong ? 4 : 2 } = {}): Promise<void> {
  const { page } = tab
  for (const { width, colorScheme } of appearances.slice(0, at)) {
    const what = `${name} ${width} ${colorScheme}`
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    // The page hears of it later than the browser, and its colors move only then. One whose reader chose a scheme keeps that.
    const html = page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`)
    await html.waitFor({ state: 'attached', timeout: 2_000 }).catch(() => undefined)
    await settled(page)
    await page.screenshot({ path: await picture(what) })
    // By the debugger, which the page's policy does not bind.
    if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe)
    t.same(await page.evaluate(violations), [], `${what}: axe`)
    t.same(await page.evaluate(cutOff), [], `${what}: nothing is wider than the screen, nor cut off by it`)
  }
  t.same(tab.faults, [], `${name}: the browser complains of nothing`)
}

/**
 * What does not fit: the page where it scrolls sideways; what ends beyond the screen, unless it stands in something that is scrolled
 * to it or is a picture that is moved; a table that is wider than a phone; a word on a button that is cut short.
 */
export const cutOff = `(() => {
  const { clientWidth: width, scrollWidth } = document.documentElement
  const named = (it) => it.outerHTML.slice(0, 160)
  const isPicture = (it) => it.closest('svg, canvas, .react-flow, .xterm, iframe') !== null
  const isScrolled = (it) => {
    for (let at = it.parentElement; at; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true
    return false
  }
  const shown = [...document.body.querySelectorAll('*')].filter((it) => it.checkVisibility({ visibilityProperty: true }))
  const isBeyond = (it) => {
    const { left, right, width: own } = it.getBoundingClientRect()
    return own > 1 && right > width + 1 && left < width * 2 && !isPicture(it)
  }
  const beyond = shown.filter((it) => isBeyond(it) && !isScrolled(it))
  const tables = width < 576 ? shown.filter((it) => it.tagName === 'TABLE' && it.offsetWidth > width) : []
  const labels = '.mantine-Button-label, .mantine-SegmentedControl-innerLabel, .mantine-Tabs-tabLabel, .mantine-Badge-label'
  const words = shown.filter((it) => it.matches(labels) && it.scrollWidth > it.clientWidth + 1)
  return [
    ...(scrollWidth > width ? ['the page is ' + scrollWidth + ' wide'] : []),
    ...beyond.filter((it) => !beyond.includes(it.parentElement)).map((it) => 'beyond: ' + named(it)),
    ...tables.map((it) => 'table: ' + named(it)),
    ...words.map((it) => 'cut short: ' + named(it))
  ]
})()`

async function picture(name: string): Promise<string> {
  await mkdir(pictures, { recursive: true })
  return join(pictures, `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png`)
}

/**
 * Once no button waits for what it began, all is loaded, and what moves has come to rest: axe takes a colour that fades in for one that is too
 * faint.
 */
export async function settled(page: Page): Promise<void> {
  for (const waits of ['[data-loading]', '.mantine-Skeleton-root'])
    await page.locator(waits).first().waitFor({ state: 'detached' })
  await page.evaluate(
    'Promise.all(document.getAnimations().filter((it) => it.timeline === document.timeline && it.effect?.getTiming().iterations !== Infinity).map((it) => it.finished.catch(() => 0)))'
  )
}
