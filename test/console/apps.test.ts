// budget: 40 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import type { Test } from 'tap'
import t from 'tap'
import { little } from '../../apps-sdk/client/testbed.ts'
import { look, skip, stage } from './testbed.ts'

const html = `<!doctype html><title>Desk</title><h1>Sunny</h1><p id="told">Waiting</p><script>
const ask = (id, method, params) => parent.postMessage({ jsonrpc: '2.0', id, method, params }, '*')
addEventListener('message', ({ data }) => {
  if (data.id === 1) {
    parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} }, '*')
    ask(2, 'tools/call', { name: 'forecast', arguments: {} })
    ask(3, 'tools/call', { name: 'agents.read', arguments: { agentId: 'agent_1' } })
  }
  if (data.id === 2) told.textContent = JSON.stringify(data.result)
})
ask(1, 'ui/initialize', {
  protocolVersion: '2026-01-26', appInfo: { name: 'desk', version: '1' }, appCapabilities: {}
})
</script>`

const app = {
  manifest: {
    manifestVersion: 1,
    id: 'weather-desk',
    name: 'Weather desk',
    version: '1.0.0',
    description: `Tells the weather <script>alert(1)</script> ${'long'.repeat(60)}`,
    server: { entry: 'server.js' },
    capabilities: [
      { name: 'agents.read', reason: 'Shows the name of the agent' },
      { name: 'agents.list', reason: 'Offers your agents to choose from' }
    ],
    egress: [{ host: '*.weather.example', reason: 'Forecasts' }],
    connections: [
      {
        key: 'weather-api',
        name: 'Weather service',
        hosts: ['api.weather.example'],
        auth: { type: 'bearer' }
      }
    ],
    functions: [{ name: 'forecast', description: 'The weather', input: { type: 'object' }, tool: true }],
    pages: [{ name: 'main', title: 'Weather', entry: 'pages/main.html' }]
  },
  files: {
    'server.js': { text: 'export const functions = { forecast: () => ({ sunny: true }) }\n' },
    'pages/main.html': { text: html }
  }
}

t.test('an app is installed, read, granted less, enabled and looked at', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const tab = await open(ada, '/apps')
  const { page, faults } = tab
  const read = async () => (await ada.get('/v1/ui-plugins/weather-desk')).body.data
  await page.getByText('No apps yet').waitFor()
  await look(t, tab, 'apps none')

  await page.getByRole('button', { name: 'Install app' }).first().click()
  const buffer = Buffer.from(JSON.stringify(app))
  await page
    .getByLabel('Files of the app')
    .setInputFiles({ name: 'app.json', mimeType: 'application/json', buffer })
  await page.getByText('Sends data to every host below weather.example').waitFor()
  t.match(
    await read(),
    { status: 'draft', grants: { capabilities: [], hosts: [] } },
    'installed is not enabled'
  )
  await look(t, tab, 'app permissions')

  await page.getByRole('checkbox', { name: 'List agents' }).check()
  await page.getByRole('button', { name: 'Agree and enable 1.0.0' }).click()
  await page.getByText('Version 1.0.0 is enabled').waitFor()
  t.match(await read(), { status: 'enabled', grants: { capabilities: [{ name: 'agents.list' }], hosts: [] } })

  await page.goto(`${booted.url}/console/apps/weather-desk`)
  await page.getByRole('button', { name: 'Pin' }).click()
  await page.getByRole('button', { name: 'Unpin' }).waitFor()
  t.same((await ada.get('/v1/ui-plugins/layout')).body.data.pins, ['weather-desk'])
  await look(t, tab, 'app')

  await page.getByRole('link', { name: 'Weather', exact: true }).click()
  const frame = page.frameLocator('iframe[title="Weather"]')
  await frame.getByText('"sunny":true').waitFor()
  t.equal(await page.locator('iframe').getAttribute('sandbox'), 'allow-scripts allow-forms')
  // The page asked for what it was not granted.
  t.same(
    faults.filter((it) => !/status of 403/.test(it)),
    []
  )
  faults.length = 0

  await page.goto(`${booted.url}/console/apps/weather-desk/logs?level=warn`)
  await page.getByText('capability_not_granted').first().waitFor()
  await look(t, tab, 'app logs')
  await page.goto(`${booted.url}/console/apps/weather-desk/connections`)
  await page.getByLabel('Key of Weather service').fill('told-to-nobody')
  await page.getByRole('button', { name: 'Save key' }).click()
  await page.getByText('The connection is saved').waitFor()
  t.notMatch(await page.content(), 'told-to-nobody')
  await look(t, tab, 'app connections')
  for (const path of ['versions', 'usage']) {
    await page.goto(`${booted.url}/console/apps/weather-desk/${path}`)
    await page.getByRole('heading', { level: 1, name: 'Weather desk' }).waitFor()
    await look(t, tab, `app ${path}`)
  }
  await page.goto(`${booted.url}/console/apps`)
  await page.getByRole('navigation', { name: 'Pinned apps' }).waitFor()
  await look(t, tab, 'apps')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${booted.url}/console/apps/weather-desk`)
  await page.getByRole('button', { name: 'Delete app' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete app' }).click()
  await page.getByText('No apps yet').waitFor()
  t.equal((await ada.get('/v1/ui-plugins/weather-desk')).status, 404)
})

/** A socket that a page would reach, and how many packets came. */
async function listen(t: Test) {
  const socket = createSocket('udp4')
  t.teardown(() => socket.close())
  let packets = 0
  const { promise: first, resolve } = Promise.withResolvers<void>()
  socket.on('message', () => {
    packets++
    resolve()
  })
  socket.bind(0)
  await once(socket, 'listening')
  const outward = Object.values(networkInterfaces()).flat()
  const own = outward.find((it) => it?.family === 'IPv4' && !it.internal)?.address ?? '127.0.0.1'
  return { address: `stun:${own}:${socket.address().port}`, first, packets: () => packets }
}

/** Asks a server for the page's own address, as every connection of WebRTC begins; by itself, or with `#frame` by a frame in it. */
const reaching = (address: string) => `<!doctype html><title>Out</title><script>
  const script = "<script>(" + (() => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: '${address}' }] })
    peer.createDataChannel('out')
    peer.createOffer().then((offer) => peer.setLocalDescription(offer)).then(() => top.postMessage('offered', '*'))
  }) + ")()</" + "script>"
  const frame = document.createElement('iframe')
  if (location.hash === '#frame') document.documentElement.append(Object.assign(frame, { srcdoc: script }))
  else document.documentElement.append(document.createRange().createContextualFragment(script))
</script>`

t.test('the page of an app reaches nothing by WebRTC either, nor does a frame in it', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const [forbidden, control] = [await listen(t), await listen(t)]
  const files = { ...app.files, 'pages/main.html': { text: reaching(forbidden.address) } }
  t.equal((await ada.put('/v1/ui-plugins', { ...app, files })).status, 201)
  t.equal((await ada.put('/v1/ui-plugins/weather-desk/status', { status: 'enabled' })).status, 200)
  for (const part of ['', '#frame']) {
    const { page } = await open(ada, '/')
    // Chromium ends the whole tab, where a frame within a page that has a list of addresses begins a connection.
    const ended = page.waitForEvent('crash').then(() => 'crash')
    const source = `${booted.url}/v1/ui-plugins/weather-desk/pages/main${part}`
    const offered = page.evaluate(`new Promise((resolve) => {
      addEventListener('message', ({ data }) => data === 'offered' && resolve(data))
      document.body.append(Object.assign(document.createElement('iframe'), { src: '${source}' }))
    })`)
    t.match(await Promise.race([offered.catch(() => ended), ended]), /^(offered|crash)$/)
  }
  // The same page without the platform's headers, by a server that is asked later, and hears of it.
  const site = await little(t, async (_request, _number, _body, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(reaching(control.address))
  )
  const free = await open(undefined, '/')
  await free.page.goto(site.url)
  await control.first
  t.equal(forbidden.packets(), 0)
})
