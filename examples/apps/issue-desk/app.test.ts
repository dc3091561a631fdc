import { testApp } from 'agent-platform-app/testing'
import t from 'tap'

const issue = {
  number: 7,
  title: 'It rains',
  state: 'open',
  user: { login: 'ada' },
  labels: [{ name: 'bug' }],
  comments: 2,
  updated_at: '2026-01-02T03:04:05Z',
  html_url: 'https://github.com/ada/weather/issues/7'
}
const asked: { request: Request; connection: string | undefined }[] = []
let answer = () => Response.json({ total_count: 1, items: [issue] })
const app = await testApp(import.meta.dirname, {
  fetch(request, connection) {
    asked.push({ request, connection })
    return answer()
  }
})
const repository = 'ada/weather'

t.test('issues are searched in one repository, whatever the text says', async (t) => {
  const found = await app.call('search', { repository, text: 'rain repo:kim/secret' })
  t.match(found, { total: 1, issues: [{ number: 7, author: 'ada', labels: ['bug'], url: issue.html_url }] })
  const { request, connection } = asked.at(-1) ?? {}
  const { host, pathname, searchParams } = new URL(request?.url ?? '')
  t.same([host, pathname, connection], ['api.github.com', '/search/issues', 'github'])
  t.equal(searchParams.get('q'), 'rain repo kim/secret repo:ada/weather is:issue state:open')
  t.equal(request?.headers.get('authorization'), null, 'the key is none of the app’s business')
})

t.test('an issue is opened', async (t) => {
  answer = () => Response.json({ ...issue, number: 8, user: null }, { status: 201 })
  t.match(await app.call('open', { repository, title: 'It snows' }), { number: 8, author: 'ghost' })
  const { request } = asked.at(-1) ?? {}
  t.equal(request?.method, 'POST')
  t.same(await request?.json(), { title: 'It snows', body: '' })
  t.match(app.log.at(-1), { level: 'info', text: 'opened ada/weather#8' })
})

t.test('what GitHub refuses is told in its words', async (t) => {
  const refuses = (message: string) => ({ code: 'app_error', message }) as unknown as Error
  answer = () => Response.json({ message: 'Not Found' }, { status: 404 })
  await t.rejects(app.call('search', { repository }), refuses('GitHub says 404: Not Found'))
  answer = () => new Response('<h1>Unicorn</h1>', { status: 502 })
  await t.rejects(app.call('search', { repository }), refuses('GitHub says 502: no more than that'))
  answer = () => Response.json({ message: 'Bad credentials' }, { status: 401 })
  const again = 'GitHub does not accept the key of the connection: save another one'
  await t.rejects(app.call('search', { repository }), refuses(again))
  await t.rejects(app.call('search', { repository: '../user' }), { code: 'invalid_request_error' })
})

t.test('nothing is asked of GitHub where that was not granted', async (t) => {
  app.grant({ capabilities: [], hosts: [] })
  const before = asked.length
  await t.rejects(app.call('search', { repository }), { message: /api\.github\.com was not granted/ })
  t.equal(asked.length, before)
})
