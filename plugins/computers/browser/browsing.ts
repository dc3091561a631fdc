import type { Principal } from 'agent-platform'
import { newId, upstreamTimeout } from 'agent-platform'
import type { Page } from 'playwright-core'
import type { WriteEnd } from '../guest/orders.ts'
import type { Machine } from '../provider/machine.ts'
import type { BrowserAction, OpenPage, PageTest, PageView, TestPage } from '../schemas/browser.ts'
import type { ComputerService } from '../services/computers.ts'
import type { Waking } from '../services/waking.ts'
import type { ComputerRow } from '../stores/computers.ts'
import type { Browsers } from './browsers.ts'

export type Browsing = ReturnType<typeof createBrowsing>

const MOST_TEXT = 50_000
const MOST_EXTRACTED = 100
const MOST_ERRORS = 100
const LINE = 1_000

interface Deps {
  browsers: Browsers
  waking: Waking
  computerService: ComputerService
}

/** What is done in the browser of a computer. What it shows is of others' making, and capped wherever it comes in. */
export function createBrowsing({ browsers, waking, computerService }: Deps) {
  async function openAt(by: Principal, row: ComputerRow, asked: OpenPage): Promise<PageView> {
    const { url, actions = [], screenshot = true, timeLimit = 30 } = asked
    const machine = await waking.wake(row, by)
    return inTime(timeLimit, () =>
      browsers.use(row.id, machine, async (browser) => {
        const page = await browser.page()
        const until = Date.now() + timeLimit * 1_000
        const left = () => Math.max(1, Math.min(until - Date.now(), (timeLimit * 1_000) / 2))
        const extracted: string[][] = []
        let failed: PageView['failed'] = null
        let status: number | null = null
        try {
          if (url !== undefined) status = (await page.goto(url, { timeout: left() }))?.status() ?? null
          for (const [index, action] of actions.entries()) {
            failed = { action: index, message: '' }
            await act(page, action, extracted, left)
          }
          failed = null
        } catch (error) {
          failed = { action: failed?.action ?? null, message: messageOf(error) }
        }
        const timeout = 5_000
        const [title, text, tree] = await Promise.all([
          page.title().catch(() => ''),
          page
            .locator('body')
            .innerText({ timeout })
            .catch(() => ''),
          page
            .locator('body')
            .ariaSnapshot({ timeout })
            .catch(() => '')
        ])
        return {
          url: cut(page.url(), 8_000),
          title: cut(title, LINE),
          status,
          text: cut(text, MOST_TEXT),
          tree: cut(tree, MOST_TEXT),
          extracted,
          failed,
          screenshot: screenshot ? await shoot(page, machine) : null
        }
      })
    )
  }

  async function testAt(
    by: Principal,
    row: ComputerRow,
    { url, timeLimit = 30 }: TestPage
  ): Promise<PageTest> {
    const machine = await waking.wake(row, by)
    return inTime(timeLimit, () =>
      browsers.use(row.id, machine, async ({ context }) => {
        const page = await context.newPage()
        const consoleErrors: string[] = []
        const failedRequests: PageTest['failedRequests'] = []
        const note = (text: string) => {
          if (consoleErrors.length < MOST_ERRORS) consoleErrors.push(cut(text, LINE))
        }
        const fail = (address: string, reason: string) => {
          if (failedRequests.length < MOST_ERRORS)
            failedRequests.push({ url: cut(address, LINE), reason: cut(reason, LINE) })
        }
        page.on('console', (message) => message.type() === 'error' && note(message.text()))
        page.on('pageerror', (error) => note(String(error.message)))
        page.on('requestfailed', (request) => fail(request.url(), request.failure()?.errorText ?? 'failed'))
        page.on(
          'response',
          (response) => response.status() >= 400 && fail(response.url(), `status ${response.status()}`)
        )
        try {
          const begun = performance.now()
          let error: string | null = null
          const reply = await page
            .goto(url, { timeout: timeLimit * 800, waitUntil: 'load' })
            .catch((thrown) => {
              error = messageOf(thrown)
              return null
            })
          const loaded = error === null ? Math.round(performance.now() - begun) : null
          const firstByte = reply?.request().timing().responseStart
          const status = reply?.status() ?? null
          const isFine = error === null && (status === null || status < 400)
          return {
            ok: isFine && consoleErrors.length === 0 && failedRequests.length === 0,
            url: cut(page.url(), 8_000),
            title: cut(await page.title().catch(() => ''), LINE),
            status,
            error,
            consoleErrors,
            failedRequests,
            timing: {
              loadMilliseconds: loaded,
              firstByteMilliseconds: firstByte === undefined || firstByte < 0 ? null : Math.round(firstByte)
            },
            screenshot: await shoot(page, machine)
          }
        } finally {
          await page.close().catch(() => undefined)
        }
      })
    )
  }

  return {
    openAt,
    testAt,
    open: async (by: Principal, agentId: string, asked: OpenPage) =>
      openAt(by, await computerService.enabled(by, agentId, 'change'), asked),
    test: async (by: Principal, agentId: string, asked: TestPage) =>
      testAt(by, await computerService.enabled(by, agentId, 'change'), asked)
  }
}

async function act(
  page: Page,
  action: BrowserAction,
  extracted: string[][],
  left: () => number
): Promise<void> {
  const timeout = left()
  if (action.type === 'scroll') return page.mouse.wheel(0, action.pixels)
  if (action.type === 'wait') {
    if (action.selector !== undefined) await page.locator(action.selector).first().waitFor({ timeout })
    if (action.milliseconds !== undefined) await page.waitForTimeout(Math.min(action.milliseconds, timeout))
    if (action.selector === undefined && action.milliseconds === undefined)
      await page.waitForLoadState('networkidle', { timeout })
    return
  }
  const found = page.locator(action.selector)
  if (action.type === 'click') return found.first().click({ timeout })
  if (action.type === 'type') {
    await found.first().fill(action.text, { timeout })
    if (action.submit) await found.first().press('Enter', { timeout })
    return
  }
  await found.first().waitFor({ state: 'attached', timeout })
  const all = (await found.all()).slice(0, MOST_EXTRACTED)
  const { attribute } = action
  const texts = all.map((it) =>
    attribute ? it.getAttribute(attribute, { timeout }) : it.innerText({ timeout })
  )
  extracted.push((await Promise.all(texts)).map((text) => cut(text ?? '', LINE * 10)))
}

/** A picture of what is seen, as a file of the computer. */
async function shoot(page: Page, machine: Machine): Promise<string | null> {
  const bytes = await page.screenshot({ timeout: 10_000 }).catch(() => undefined)
  if (!bytes) return null
  const path = `Screenshots/${newId('screenshot')}.png`
  const task = machine.perform<WriteEnd>({ op: 'write', files: [{ path, size: bytes.length }] })
  task.input(bytes)
  return 'fault' in (await task.done) ? null : path
}

/** 504 where it takes much longer than it was told to. */
async function inTime<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const over = () => reject(upstreamTimeout('The browser did not answer in time', { code: 'browser_slow' }))
    timer = setTimeout(over, seconds * 1_000 + 30_000)
  })
  const done = work()
  done.catch(() => undefined)
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}

const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed().replaceAll('\0', '')
/** Its first line: what follows is how the driver waited. */
const messageOf = (error: unknown): string =>
  cut(String((error as Error).message).split('\n')[0] ?? '', 500).replace(/^(?:\w+\.)+\w+: /, '')
