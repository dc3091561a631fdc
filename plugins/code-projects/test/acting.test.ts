// budget: 20 s, because an agent works in a real computer with a real browser, and a person opens what it made in another
// tier: whole
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { browse, noChromium } from '../../../test/chromium.ts'
import { noComputers } from '../../../test/computers.ts'

const skip = (await noComputers()) || noChromium
const { as, url } = await boot(t, 'code-projects', 'computers', 'files', 'runs', 'tools', {
  env: { COMPUTERS_BROWSER: process.env.CHROMIUM ?? 'chromium' }
})
const ada = as('ada')
const names = ['project_write', 'project_read', 'project_verify', 'project_publish']

async function agentWithTools() {
  const { id } = await ada.agent({ modelProvider: 'local' })
  for (const toolId of names) await ada.post(`/v1/agents/${id}/tools`, { toolId })
  const call = async (name: string, args: object) => {
    const messages = [{ role: 'user', content: `/call ${name} ${JSON.stringify(args)}` }]
    return (await ada.post('/v1/agents/run', { agentId: id, messages })).body.data.content as string
  }
  return { id, call }
}

t.test('agents write and read their own projects', async (t) => {
  const { id, call } = await agentWithTools()
  const files = [{ path: 'index.html', content: '<h1>Green tea</h1>' }]
  t.match(await call('project_write', { project: 'Tea', files, delete: ['main.js'] }), /"?version"?.*2/s)
  t.match(await call('project_read', { project: 'Tea' }), /Green tea/)
  t.match(await call('project_write', { project: 'Tea', files, baseVersion: 1 }), /changed since version 1/)
  t.match(
    await call('project_write', { project: 'Tea', files: [{ path: '../x', content: '' }] }),
    /leads out/
  )
  t.match(await call('project_read', { project: 'Coffee' }), /no such project/)
  const projects = (await ada.get(`/v1/agents/${id}/projects`)).body.data
  t.match(projects, [{ name: 'Tea', owner: 'ada', version: 2 }], 'one, of the agent’s owner')
  const other = await agentWithTools()
  t.match(await other.call('project_read', { project: projects[0].id }), /no such project/)
  t.match(await call('project_verify', { project: 'Tea' }), /computer is off/)
  t.match(await call('project_publish', { project: 'Tea' }), /v1\/previews\/tea-/)
})

t.test('an agent writes a site, tests it, publishes it, and a person opens it', { skip }, async (t) => {
  const { id, call } = await agentWithTools()
  await ada.put(`/v1/agents/${id}/computer/config`, { enabled: true, memoryMb: 1_024, storageMb: 256 })
  const page = (script: string) =>
    `<!doctype html><link rel="icon" href="data:,"><title>Tea shop</title><button>Pour</button><p>empty</p><script type="module" src="app.js"></script>${script}`
  const app = `document.querySelector('button').onclick = () => { document.querySelector('p').textContent = 'A cup of tea' }`
  const write = (index: string) =>
    call('project_write', {
      project: 'Tea shop',
      files: [
        { path: 'index.html', content: index },
        { path: 'app.js', content: app }
      ]
    })
  await write(page('<script>pour()</script>'))
  t.match(
    await call('project_verify', { project: 'Tea shop' }),
    /pour is not defined/,
    'it sees what is wrong'
  )
  await write(page(''))
  t.match(await call('project_verify', { project: 'Tea shop' }), /"?ok"?:\s*true/)
  t.match(await call('project_publish', { project: 'Tea shop' }), /completed/)

  const [{ slug }] = (await ada.get(`/v1/agents/${id}/projects`)).body.data
  const browser = await browse(t)
  const person = await browser.newPage()
  await person.goto(`${url}/v1/previews/${slug}`)
  t.equal(await person.title(), 'Tea shop')
  await person.getByRole('button', { name: 'Pour' }).click()
  await person.getByText('A cup of tea').waitFor()
})
