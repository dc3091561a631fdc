// budget: 12 s, because a browser follows an answer across platforms that are started twice
// tier: whole
import t from 'tap'
import { boot } from '../boot.ts'
import { createClient } from '../client.ts'
import { startPlatform } from '../packs/processes.ts'
import { look, opener, skip } from './testbed.ts'

const packs = ['access', 'packs', 'agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'console']

t.test('an answer that a kill -9 cut is whole, and no word stands there twice', { skip }, async (t) => {
  t.setTimeout(300_000)
  // What prepares the database is gone before the run begins: nobody is there to take it over.
  const home = await boot(t, { packs })
  const key = await home.as('ada').key()
  const { id: agentId } = await home.as('ada').agent({ name: 'Teller' })
  await home.close()
  const begin = (env?: Readonly<Record<string, string>>) => startPlatform(t, home.connection, [], packs, env)
  const first = await begin()
  await first.ready

  const open = await opener(t, first)
  const { page } = await open(createClient(first.url, 'ada', key), `/agents/${agentId}/chat`)
  const words = Array.from({ length: 150 }, (_, i) => `w${i}`)
  await page.getByRole('textbox', { name: 'Message' }).fill(`/wait 100\n/say ${words.join(' ')}`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page
    .getByText(/\bw5\b/)
    .last()
    .waitFor()
  await page.waitForURL(/\?session=session_/)

  // The tab is closed and opened again.
  const address = page.url()
  const tab = await page.context().newPage()
  await page.close()
  await tab.goto(address)
  const answer = tab.getByRole('article', { name: /^Answer of/ })
  await answer.getByText(/\bw15\b/).waitFor()

  await first.kill()
  t.notMatch(await answer.innerText(), 'w149', 'it was cut')
  const second = await begin({ PORT: new URL(first.url).port })
  t.equal(second.url, first.url)
  await second.ready
  await answer.getByText(/\bw149$/).waitFor({ timeout: 120_000 })
  const said = async () => (await answer.innerText()).match(/\bw\d+\b/g)
  t.same(await said(), words, 'on the page that stayed open')
  await tab.reload()
  await answer.getByText(/\bw149$/).waitFor()
  t.same(await said(), words, 'and on one that is opened later')
  await look(t, { page: tab, faults: [] }, 'chat after a kill')
})
