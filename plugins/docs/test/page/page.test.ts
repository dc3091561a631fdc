// budget: 8 s, because a browser opens the page
// tier: whole
import type { Page } from 'playwright-core'
import t from 'tap'
import type { Booted } from '../../../../test/boot.ts'
import { boot } from '../../../../test/boot.ts'
import { browse, noChromium as skip } from '../../../../test/chromium.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** A page that remembers all that must not happen on it. */
async function open(t: Scope, url: string) {
  const browser = await browse(t)
  const page = await browser.newPage()
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== url && protocol !== 'data:' && protocol !== 'blob:')
      complaints.push(`${request.url()} left`)
  })
  await page.exposeFunction('report', (text: string) => complaints.push(text))
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    report(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber))`)
  return { page, complaints }
}

async function tryOut(page: Page, operation: string) {
  await page.getByRole('button', { name: `Test Request (${operation})` }).click()
  const path = operation.split(' ')[1] as string
  const reply = page.waitForResponse((response) => new URL(response.url()).pathname === path)
  await page.getByRole('button', { name: /^Send/ }).first().click()
  return reply
}

const ready = (page: Page) => page.getByRole('heading', { name: 'Agent Platform API' }).waitFor()

t.test('the page shows every pack, offline, within its policy', { skip }, async (t) => {
  const { url, admin } = await boot(t)
  const { body } = await admin.get('/openapi.json')
  const { page, complaints } = await open(t, url)
  await page.goto(`${url}/docs`)
  await ready(page)
  for (const { name, 'x-displayName': shown } of body.tags) {
    await page.goto(`${url}/docs#tag/${name}`)
    await page.getByRole('heading', { name: shown, exact: true }).first().waitFor()
  }
  t.strictSame(complaints, [])
})

t.test('a request can be tried out', { skip }, async (t) => {
  const { url, as }: Booted = await boot(t, 'docs')
  const ada = as('ada')
  const { id } = await ada.agent({ name: 'Countess' })
  const { page, complaints } = await open(t, url)
  await page.goto(`${url}/docs`)
  await ready(page)
  await page
    .getByPlaceholder('Token')
    .first()
    .fill(await ada.key())
  await page.goto(`${url}/docs#tag/agents/GET/v1/agents`)
  const reply = await tryOut(page, 'get /v1/agents')
  t.equal(reply.status(), 200)
  t.match(await reply.json(), { data: [{ id, name: 'Countess' }] })
  await page.getByText('200 OK').first().waitFor()
  t.strictSame(complaints, [])
})
