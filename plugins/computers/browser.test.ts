// budget: 12 s, because a real browser starts in a real computer
import t from 'tap'
import { boot } from '../../test/boot.ts'
import { noChromium } from '../../test/chromium.ts'
import { noComputers } from '../../test/computers.ts'

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
