// budget: 8 s, because a browser opens the page
// tier: whole
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { boot } from '../../test/boot.ts'
import { browse, noChromium as skip } from '../../test/chromium.ts'
import { little } from '../client/testbed.ts'
import { bundleModule } from './src/bundle/bundle-module.ts'
import { edit, stage } from './testbed.ts'

const host = `
import { createClient } from 'agent-platform-client'
import { showPage } from 'agent-platform-app/host'
window.show = async ({ baseUrl, apiKey, page, ...options }) => {
  const client = createClient({ baseUrl, apiKey })
  window.shown = await showPage({ client, pluginId: 'greeter', page, container: document.body, ...options })
  await window.shown.connected
}
window.ready = true`

t.test('a page is shown in a frame that reaches nothing, and calls what the app may', { skip }, async (t) => {
  const site = await little(t, async ({ path }, _number, _, response) => {
    if (path !== '/host.js') return response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
  })
  const html = '<!doctype html><title>Host</title><body><script type="module" src="/host.js"></script>'
  const booted = await boot(t, 'ui-plugins', 'sandbox', 'app-storage', { env: { CORS_ORIGINS: site.url } })
  const ada = booted.as('ada')
  const key = await ada.key()
  const { folder, run } = await stage(t, { url: booted.url, key })
  await writeFile(join(folder, 'host.js'), host)
  const { text: script } = await bundleModule(join(folder, 'host.js'), 'page')
  await run('create', 'greeter')
  // What a page must not be able to do, it tries first.
  await edit(join(folder, 'greeter/src/pages/main.ts'))(
    'const form =',
    `const tried = await Promise.allSettled([fetch('${site.url}/fetched'), new Promise((_, no) => {
  Object.assign(new Image(), { onerror: no, src: '${site.url}/image' })
})])
document.body.append(Object.assign(document.createElement('a'), { textContent: 'Leave', href: '${site.url}/left' }))
const outward = Object.assign(document.createElement('form'), { action: '${site.url}/sent', method: 'post' })
outward.append(Object.assign(document.createElement('button'), { textContent: 'Send' }))
document.body.append(outward)
document.body.dataset.tried = tried.map(({ status }) => status).join()
try { parent.parent.document.title = 'taken' } catch { document.body.dataset.parent = 'closed' }
const form =`
  )
  t.match(await run('publish', 'greeter'), { code: 0 })
  const status = { status: 'enabled', grants: { capabilities: [], hosts: [] } }
  t.equal((await ada.put('/v1/ui-plugins/greeter/status', status)).status, 200)

  const browser = await browse(t)
  const tab = await browser.newPage()
  tab.setDefaultTimeout(90_000)
  await tab.goto(site.url)
  await tab.waitForFunction('window.ready')
  const order = { baseUrl: booted.url, apiKey: key, page: 'main', context: { theme: 'dark' } }
  await tab.evaluate(`show(${JSON.stringify(order)})`)
  const page = tab.frameLocator('iframe').frameLocator('iframe')
  // A form that the page's code does not take is sent nowhere.
  const unsent = tab.waitForEvent('console', (message) => /form-action/.test(message.text()))
  await page.getByRole('button', { name: 'Send' }).click()
  await unsent
  await tab.evaluate('shown.close()')
  await tab.evaluate(`show(${JSON.stringify(order)})`)
  await page.getByLabel('Whom to greet').fill('Grace')
  const greet = page.getByRole('button', { name: 'Greet' })
  await greet.click()
  await page.getByText('Hello Grace!').waitFor()
  await greet.click()
  await page.getByText('Hello Grace! (2 times)').waitFor()
  t.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
  t.match(
    await page.locator('body').evaluate((body) => ({ ...(body as unknown as { dataset: object }).dataset })),
    {
      tried: 'rejected,rejected',
      parent: 'closed'
    }
  )
  await tab.evaluate("shown.setContext({ theme: 'light' })")
  await page.locator('html[data-theme=light]').waitFor()
  if (process.env.SCREENSHOT) await tab.screenshot({ path: process.env.SCREENSHOT })
  const inside = Number(await page.locator('html').evaluate('document.documentElement.offsetHeight'))
  const outside = Number(await tab.evaluate('shown.frame.getBoundingClientRect().height'))
  t.ok(Math.abs(outside - inside) <= 1, `as high as what is in it: ${outside} of ${inside}`)

  await ada.put('/v1/ui-plugins/greeter/status', { status: 'off' })
  await greet.click()
  await page.getByText(/not enabled/).waitFor()
  // Its frame does not leave either, which no policy of its own document forbids.
  const refused = tab.waitForEvent('console', (message) => /frame-src/.test(message.text()))
  await page.getByText('Leave').click()
  await refused
  await tab.evaluate('shown.close()')
  t.equal(await tab.evaluate("document.querySelectorAll('iframe').length"), 0)
  t.same(
    site.asked.map(({ path }) => path).filter((path) => /fetched|image|left|sent/.test(path)),
    []
  )
})
