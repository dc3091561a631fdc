// budget: 20 s, because a real browser starts in a real computer
// tier: whole
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { noChromium } from '../../../test/chromium.ts'
import { noComputers } from '../../../test/computers.ts'
import { until } from '../../../test/packs/stage.ts'

const skip = (await noComputers()) || noChromium
const { as } = await boot(t, 'computers', { env: { COMPUTERS_BROWSER: process.env.CHROMIUM ?? 'chromium' } })
const ada = as('ada')

t.test('a browser is driven within the computer', { skip }, async (t) => {
  const { id } = await ada.agent()
  const of = (path: string) => `/v1/agents/${id}/computer${path}`
  t.match(await ada.post(of('/browser/open'), { url: 'about:blank' }), { status: 409 })
  await ada.put(of('/config'), { enabled: true, memoryMb: 1_024, storageMb: 256 })
  const page = `<!doctype html><title>Shop</title><h1>Tea</h1><input id=name><button onclick="document.querySelector('h1').textContent = 'Hello ' + document.querySelector('input').value">Greet</button><a download=list.txt href="data:text/plain,tea">List</a>`
  const server = `require('http').createServer((q, r) => { r.statusCode = q.url === '/' ? 200 : 404; r.setHeader('content-type', 'text/html'); r.end(q.url === '/bad' ? '<script>console.error("oh"); fetch("/gone"); nothing()</script>' : ${JSON.stringify(page)}) }).listen(8080)`
  await ada.post(of('/files/write'), { files: [{ path: 'server.js', content: server }] })
  await ada.post(of('/exec'), {
    command: 'setsid node server.js >log 2>&1 & until curl -s localhost:8080 >/dev/null; do :; done'
  })
  await ada.post(of('/files/write'), {
    files: [
      {
        path: '.local/bin/chromium',
        content: '#!/bin/sh\ntouch ~/taken\nexec cat /dev/zero >&4',
        mode: 0o755
      }
    ]
  })
  const open = async (body: object) => (await ada.post(of('/browser/open'), body)).body.data

  const seen = await open({
    url: 'http://localhost:8080/',
    actions: [
      { type: 'type', selector: '#name', text: 'Ada' },
      { type: 'click', selector: 'role=button[name="Greet"]' },
      { type: 'extract', selector: 'h1' },
      { type: 'extract', selector: 'a', attribute: 'download' },
      { type: 'scroll', pixels: 100 },
      { type: 'click', selector: 'a' },
      { type: 'wait', milliseconds: 200 }
    ]
  })
  t.match(seen, {
    url: 'http://localhost:8080/',
    title: 'Shop',
    status: 200,
    text: /Hello Ada/,
    tree: /button "Greet"/,
    extracted: [['Hello Ada'], ['list.txt']],
    failed: null,
    screenshot: /^Screenshots\/.+\.png$/
  })
  t.equal((await ada.get(of('/files/read?path=taken'))).status, 404, 'no browser but that of the machine')
  const shot = await ada.get(of(`/files/read?path=${seen.screenshot}`))
  t.match(shot.body.data, { encoding: 'base64', content: /^iVBOR/ })
  t.match(
    (await ada.get(of('/files/read?path=Downloads'))).body.data.entries,
    [{ type: 'file' }],
    'in the home'
  )
  t.match(
    await open({ actions: [{ type: 'click', selector: '#nowhere' }], timeLimit: 2, screenshot: false }),
    {
      title: 'Shop',
      failed: { action: 0, message: /Timeout/ },
      screenshot: null
    }
  )
  for (const url of ['http://example.com/', 'https://example.com/'])
    t.match(
      (await open({ url })).failed,
      { action: null, message: /ERR_/ },
      'its way out is that of the computer'
    )

  const test = async (url: string) => (await ada.post(of('/browser/test'), { url })).body.data
  t.match(await test('http://localhost:8080/'), {
    ok: true,
    status: 200,
    title: 'Shop',
    error: null,
    consoleErrors: [],
    timing: { loadMilliseconds: Number }
  })
  const bad = await test('http://localhost:8080/bad')
  t.match(bad, { ok: false, status: 404, failedRequests: [{ reason: 'status 404' }] })
  t.match(bad.consoleErrors.join(), /oh.*nothing is not defined/s)
  t.match(await test('http://localhost:1/'), { ok: false, status: null, error: String })
  for (const body of [{ url: 'javascript:1' }, { url: 'chrome://version' }, { actions: [{ type: 'dance' }] }])
    t.match(await ada.post(of('/browser/open'), body), { status: 400 })
  for (const path of ['/browser/open', '/browser/test']) {
    t.equal((await as('eve').post(of(path), { url: 'about:blank' })).status, 403)
    t.equal((await ada.post(`/v1/agents/agent_nope/computer${path}`, { url: 'about:blank' })).status, 404)
  }
})

t.test('a page that downloads 10 GB fills its own disk, and no more', { skip }, async (t) => {
  const of = (id: string, path = '') => `/v1/agents/${id}/computer${path}`
  const make = async () => {
    const { id } = await ada.agent()
    await ada.put(of(id, '/config'), { enabled: true, memoryMb: 1_024, storageMb: 96 })
    return id
  }
  const [victim, beside] = [await make(), await make()]
  const server = `const bytes = Buffer.alloc(1 << 20, 1)
require('http').createServer((q, r) => {
  if (q.url === '/') return r.setHeader('content-type', 'text/html').end('<a download href="/all">All</a>')
  r.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': 10e9, 'content-disposition': 'attachment' })
  const more = () => { while (r.write(bytes)); }
  r.on('drain', more).on('error', () => {})
  more()
}).listen(8080)`
  await ada.post(of(victim, '/files/write'), { files: [{ path: 'server.js', content: server }] })
  await ada.post(of(victim, '/exec'), {
    command: 'setsid node server.js >log 2>&1 & until curl -s localhost:8080 >/dev/null; do :; done'
  })
  await ada.post(of(victim, '/browser/open'), {
    url: 'http://localhost:8080/',
    actions: [{ type: 'click', selector: 'a' }],
    screenshot: false
  })
  const state = await until(
    async () => (await ada.get(of(victim))).body.data,
    ({ state, reason }) => state === 'asleep' || reason === 'storage_exceeded'
  )
  t.match(state, { reason: 'storage_exceeded' })
  const exec = async (id: string, command: string) =>
    (await ada.post(of(id, '/exec'), { command })).body.data.stdout
  const used = Number(await exec(victim, 'du -sm ~ | cut -f1'))
  // No file is larger than the disk, and all of them are looked at each moment: it stops after a few, not after 10 GB.
  t.ok(used > 0 && used <= 4 * 96, `${used} MB`)
  t.equal(await exec(beside, 'echo fine > x; cat x'), 'fine\n')
})

t.test('no browser has the profile of another agent', { skip }, async (t) => {
  const of = (id: string, path: string) => `/v1/agents/${id}/computer${path}`
  const [mine, other] = [await ada.agent(), await ada.agent()]
  const page = `require('http').createServer((q, r) => r.setHeader('content-type', 'text/html').end('<p>' + (q.headers.cookie || 'none') + '</p><script>document.cookie = "who=ada-7431; max-age=9999"; localStorage.who = "ada-7431"</script>')).listen(8080)`
  const shown = async ({ id }: { id: string }) => {
    await ada.put(of(id, '/config'), { enabled: true, memoryMb: 1_024, storageMb: 256 })
    await ada.post(of(id, '/files/write'), { files: [{ path: 'server.js', content: page }] })
    const command =
      'pgrep node >/dev/null || setsid node server.js >log 2>&1 & until curl -s localhost:8080 >/dev/null; do :; done'
    await ada.post(of(id, '/exec'), { command })
    const read = async () =>
      (await ada.post(of(id, '/browser/open'), { url: 'http://localhost:8080/', screenshot: false })).body
        .data.text
    return [await read(), await read()]
  }
  t.match(await shown(mine), [/none/, /who=ada-7431/], 'a profile of its own keeps what it was given')
  t.match(await shown(other), [/none/, /who=/], 'and the next agent begins with none')
  const search =
    'grep -rls ada-7431 /home /tmp /var/tmp /dev/shm /run 2>/dev/null | grep -v "^/home/agent" || echo nothing'
  t.equal((await ada.post(of(other.id, '/exec'), { command: search })).body.data.stdout, 'nothing\n')
  const there = 'ls -d /home/*; ls ~/.. | wc -l'
  t.equal((await ada.post(of(other.id, '/exec'), { command: there })).body.data.stdout, '/home/agent\n1\n')
})
