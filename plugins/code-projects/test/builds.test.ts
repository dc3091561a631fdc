// budget: 40 s, because packages are installed and an app is built in a real computer, and looked at in its browser
// tier: whole
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../../../kernel/deployment.ts'
import { boot } from '../../../test/boot.ts'
import { noChromium } from '../../../test/chromium.ts'
import { noComputers } from '../../../test/computers.ts'
import { VITE_VERSION } from '../projects/templates.ts'
import { building, npmRegistry } from './testbed.ts'

const skip = await noComputers()
const registry = await npmRegistry(t)
const { as, anyone } = await boot(t, 'code-projects', 'computers', 'files', {
  env: {
    OUTGOING_ALLOW: registry.host,
    CODE_PROJECTS_NPM_REGISTRY: registry.url,
    COMPUTERS_BROWSER: process.env.CHROMIUM ?? 'chromium'
  }
})
const ada = as('ada')
const { make, begin, enable } = building(ada)
const { id: agentId } = await ada.agent()
const of = (rest = '', agent = agentId) => `/v1/agents/${agent}/projects${rest}`

t.test('the template for Vite is of the version that is tested', async (t) => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  t.equal(VITE_VERSION, devDependencies.vite)
})

t.test('a computer that is off builds nothing', { skip }, async (t) => {
  const { id } = await make(agentId, { template: 'node' })
  for (const path of ['/publish', '/verify', '/export'])
    t.match(
      await ada.post(of(`/${id}${path}`)),
      { status: 409, body: { error: { code: 'computer_off' } } },
      path
    )
})

t.test('an app is installed and built in the computer, and published', { skip }, async (t) => {
  await enable(agentId, { allowedHosts: [registry.host] })
  const { id } = await make(agentId, { template: 'vite' })
  const build = await begin(of(`/${id}/publish`))
  t.match(build, {
    status: 'completed',
    exitCode: 0,
    reason: null,
    log: /npm install.*vite build.*built in/s
  })
  t.ok(registry.asked.includes('vite'), 'from the registry of the settings')
  const { pathname } = new URL(build.previewUrl)
  const page = await anyone.get(pathname)
  t.match(page, { status: 200, text: /<script type="module" crossorigin src="\.\/assets\/index-.+\.js">/ })
  const script = /src="\.\/(assets\/.+?)"/.exec(page.text)?.[1]
  t.match(await anyone.get(`${pathname}${script}`), { status: 200, text: /#app/ })
  t.match(await anyone.get(`${pathname}orders/7`), { status: 200, text: /id="app"/ })
  t.match(await anyone.get(`${pathname}package.json`), { status: 404 }, 'its source is not published')

  const report = await begin(of(`/${id}/verify`))
  if (!noChromium) {
    t.match(report, {
      kind: 'verify',
      status: 'completed',
      report: { ok: true, title: 'Tea', status: 200, consoleErrors: [] }
    })
    const picture = await ada.get(`/v1/files/${report.report.screenshotFileId}/content`)
    t.equal(picture.headers.get('content-type'), 'image/png')
  }
  const list = (await ada.get(of(`/${id}/builds?kind=publish`))).body.data
  t.match(list, [{ id: build.id, status: 'completed' }])
  t.notOk('log' in list[0])
  t.same(
    (await ada.get(`/v1/agents/${agentId}/computer/files/read?path=.builds`)).body.data.entries
      .map(({ name }: { name: string }) => name)
      .filter((name: string) => name === id),
    [],
    'it leaves nothing behind'
  )
})

t.test(
  'a service is started to be verified, and what is broken is told',
  { skip: skip || noChromium },
  async (t) => {
    const { id } = await make(agentId, { template: 'node' })
    t.match(await begin(of(`/${id}/verify`)), { status: 'completed', report: { ok: true, title: 'Tea' } })
    t.match(await begin(of(`/${id}/publish`)), { status: 'completed', publicationId: String })
    await ada.put(of(`/${id}/files`), {
      files: [{ path: 'server.js', content: 'throw new Error("no tea")' }]
    })
    t.match(await begin(of(`/${id}/verify`)), { status: 'failed', reason: 'not_served', log: /no tea/ })

    const page =
      '<!doctype html><link rel=icon href="data:,"><title>Bad</title><script>console.error("oh"); nothing()</script><img src="/gone.png">'
    const broken = await make(agentId, { files: [{ path: 'index.html', content: page }] })
    const { report } = await begin(of(`/${broken.id}/verify`))
    t.match(report, {
      ok: false,
      title: 'Bad',
      status: 200,
      failedRequests: [{ url: '/gone.png', reason: 'status 404' }]
    })
    t.match(report.consoleErrors.join('\n'), /oh.*nothing is not defined/s)
  }
)
