// budget: 20 s, because a browser walks through a page, and is shown previews that are meant to harm it
// tier: whole
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

/** Tries what it may not, and says what came of it. */
const hostile = `<!doctype html><link rel="icon" href="data:,"><title>waits</title><script type="module">
const tried = {}
const attempt = async (name, work) => { try { tried[name] = String(await work()) } catch (error) { tried[name] = 'refused: ' + error.name } }
const ask = (path, init) => fetch(path, init).then(async (reply) => reply.type === 'opaque' ? 'opaque' : reply.status + ' ' + (await reply.text()).slice(0, 200))
await attempt('origin', () => location.origin + ' ' + self.origin)
await attempt('cookie', () => document.cookie)
await attempt('storage', () => localStorage.length)
await attempt('databases', () => new Promise((resolve, reject) => { const asked = indexedDB.open('x'); asked.onsuccess = () => resolve('open'); asked.onerror = () => reject(asked.error) }))
await attempt('session', () => ask('/console/session', { credentials: 'include' }))
await attempt('agents', () => ask('/v1/agents', { credentials: 'include' }))
await attempt('own file', () => ask('data.json'))
await attempt('write', () => ask('/v1/agents', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"name":"Stolen"}' }))
await attempt('written as JSON', () => ask('/v1/agents', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '{"name":"Stolen"}' }))
await attempt('worker', () => navigator.serviceWorker.register('worker.js'))
await attempt('parent', () => parent === window ? 'none' : parent.document.title)
await attempt('top', () => { if (top === window) return 'none'; top.location.href = '/v1/previews/stolen'; return 'led away' })
await attempt('frame', () => new Promise((resolve, reject) => {
  const frame = document.createElement('iframe')
  frame.src = '/console/'
  frame.onload = () => { try { resolve(frame.contentWindow.document.title) } catch (error) { reject(error) } }
  document.body.append(frame)
}))
await attempt('window', () => { const opened = open('/console/'); return opened ? opened.document.title : 'none' })
const form = document.createElement('form')
form.method = 'post'; form.action = '/console/links'; form.target = '_blank'
document.body.append(form)
await attempt('form', () => form.submit())
globalThis.tried = tried
document.title = 'done'
</script>`

const refused = /^refused: /
const outcomes = {
  origin: /null$/,
  cookie: refused,
  storage: refused,
  databases: refused,
  session: refused,
  agents: refused,
  'own file': /^200 \{"tea":1\}/,
  write: /^(?:opaque|refused: )/,
  'written as JSON': refused,
  worker: refused,
  frame: refused,
  window: /^(?:none|refused: )/
}

t.test('a hostile preview is nobody, whoever looks at it', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const { id: agentId } = await ada.agent()
  const path = `/v1/agents/${agentId}/projects`
  const files = [
    { path: 'index.html', content: hostile },
    { path: 'data.json', content: '{"tea":1}' },
    { path: 'worker.js', content: '' }
  ]
  const { id, slug } = (await ada.post(path, { name: 'Hostile', files })).body.data
  await ada.post(`${path}/${id}/publish`)
  const before = (await ada.get('/v1/agents')).body.data.length

  const tab = await open(ada, '/')
  await tab.page.getByRole('heading', { level: 1 }).waitFor()
  await tab.page.goto(`${booted.url}/v1/previews/${slug}/`)
  await tab.page.waitForFunction('globalThis.tried')
  t.match(await tab.page.evaluate('globalThis.tried'), outcomes, 'opened by itself')

  await tab.page.goto(`${booted.url}/console/agents/${agentId}/projects?project=${id}`)
  await tab.page.getByTitle('Preview').waitFor()
  const frame = () => tab.page.frames().find((it) => it.url().includes(`/v1/previews/${slug}/`))
  while (!frame()) await tab.page.waitForEvent('framenavigated')
  // By the clock of the driver: a frame that is below the window paints nothing.
  await frame()?.waitForFunction('globalThis.tried', undefined, { polling: 100 })
  const tried = await frame()?.evaluate('globalThis.tried')
  t.match(tried, { ...outcomes, parent: refused, top: refused }, 'in a frame of the console')
  t.match(tab.page.url(), /\/console\//, 'which it leads nowhere')
  t.equal((await ada.get('/v1/agents')).body.data.length, before, 'and nothing was made')
  t.equal((await ada.get('/console/session', { cookie: '' })).status, 200)
})

t.test('a person makes a site, edits it, publishes it and looks at it', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const { id: agentId } = await ada.agent()
  const tab = await open(ada, `/agents/${agentId}/projects`)
  const { page } = tab
  await page.getByText('This agent has no code projects').waitFor()
  await look(t, tab, 'no code projects')
  await page.getByRole('button', { name: 'New project' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Tea shop')
  await page.getByRole('button', { name: 'Create project' }).click()
  const editor = page.getByRole('textbox', { name: 'index.html' })
  await editor.waitFor()
  await editor.fill('<!doctype html><html lang="en"><title>Tea</title><h1>Green tea</h1></html>')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Version 2', { exact: true }).waitFor()
  await page.getByLabel('New file').fill('docs/about.html')
  await page.getByRole('button', { name: 'Add the file' }).click()
  await page.getByRole('textbox', { name: 'docs/about.html' }).waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.frameLocator('iframe[title="Preview"]').getByRole('heading', { name: 'Green tea' }).waitFor()
  await page.getByRole('region', { name: 'build log' }).waitFor({ state: 'detached' })
  await look(t, tab, 'a code project')

  await page.getByRole('button', { name: 'index.html' }).click()
  await editor.fill('<!doctype html><html lang="en"><title>Tea</title><h1>Black tea</h1></html>')
  const [project] = (await ada.get(`/v1/agents/${agentId}/projects`)).body.data
  await ada.put(`/v1/agents/${agentId}/projects/${project.id}/files`, {
    files: [{ path: 'index.html', content: 'by another' }]
  })
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .getByText(/was changed since version/)
    .first()
    .waitFor()
  tab.faults.length = 0 // the browser itself tells of the 409
  t.match((await ada.get(`/v1/agents/${agentId}/projects/${project.id}?path=index.html`)).body.data.files, [
    { content: 'by another' }
  ])
  await page.getByRole('button', { name: 'Unpublish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click()
  await page.getByText('Nothing is published').waitFor()
})
