import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

interface Scope {
  teardown(work: () => unknown): unknown
}
/** Without the windows of a browser, which cost a third as much again, where that is installed. */
const executablePath =
  process.env.CHROMIUM ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path)) ??
  '/usr/bin/chromium'

/** Why tests of pages are left out; false where they are not. */
export const noChromium = !existsSync(executablePath) && `${executablePath} is not installed`

/** A browser that goes with the test. */
export async function browse(t: Scope) {
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking']
  const browser = await chromium.launch({ executablePath, args })
  t.teardown(() => browser.close())
  return browser
}
