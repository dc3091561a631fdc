// budget: 10 s, because a browser shows the page and functions run in a process of their own
// tier: whole
import t from 'tap'
import { run } from '../../plugins/runs/test/testbed.ts'
import { noChromium } from '../chromium.ts'
import { stage } from './examples.ts'
import { openTab, startConsole } from './showing.ts'

const site = await startConsole(t)
const { booted, publish, agentWith, ada, kim } = await stage(t, ['app-functions', 'app-storage', 'runs'], {
  env: { CORS_ORIGINS: site.url }
})
const app = await publish(ada, 'decision-log', { audience: 'project' })
const view = { pluginId: 'decision-log', page: 'board' }

t.test('functions and agents propose and list; each votes once', async (t) => {
  const proposal = { title: 'Meet on Mondays', reason: 'Everybody is there' }
  const { id } = (await app.call('propose', proposal, kim)).body.data
  t.match((await app.call('vote', { id })).body.data, { votes: 2, voted: true, mine: false })
  t.match((await app.call('vote', { id }, kim)).body.data, { votes: 1, voted: false, mine: true })
  t.match(await app.call('settle', { id, status: 'dropped' }), {
    status: 502,
    body: { error: { code: 'app_error', message: 'Who proposed it says how it was decided' } }
  })

  const agent = await agentWith(ada, 'decision-log__propose', 'decision-log__list')
  const tell = async (name: string, input: object) =>
    JSON.parse(
      (await run(ada, agent, `/call decision-log__${name} ${JSON.stringify(input)}`)).body.data.content
    )
  t.match(await tell('propose', { title: 'Ship on Fridays', reason: 'It is quiet then' }), {
    votes: 1,
    mine: true
  })
  t.match(await tell('list', {}), { decisions: [{ title: 'Ship on Fridays' }, proposal], nextCursor: null })
  await t.rejects(agentWith(ada, 'decision-log__vote'), /not_found/, 'voting is for people')
})

t.test('the page lists, adds and votes, by keyboard alone', { skip: noChromium }, async (t) => {
  const { tab, faults, asks, show } = await openTab(t, site, booted)
  const page = await show(ada, view)
  const item = (title: string) => page.locator('li', { hasText: title })
  const vote = item('Ship on Fridays').locator('.vote')
  await page.getByText('Meet on Mondays').waitFor()
  t.equal(await page.locator('li').count(), 2)

  await vote.focus()
  await tab.keyboard.press('Space')
  await item('Ship on Fridays').locator('[aria-pressed=false]').waitFor()
  t.equal(await vote.textContent(), '0')
  t.equal(await page.evaluate('document.activeElement.className'), 'vote', 'the keyboard stays where it was')

  await page.getByText('Propose a decision').press('Enter')
  await page.getByLabel('Decision').fill('<b>Write</b> it down')
  await page.getByLabel('Reason').fill('We forget')
  await page.getByLabel('Decision').press('Enter')
  const own = item('<b>Write</b> it down')
  await own.waitFor()
  t.equal(await own.locator('.vote').textContent(), '1')
  t.equal(await item('Meet on Mondays').getByText('Accept').count(), 0, 'only who proposed it settles it')
  await own.getByText('Accept').press('Enter')
  await own.locator('.accepted').waitFor()
  t.match((await app.call('list', { status: 'accepted' }, kim)).body.data, { decisions: [{ votes: 1 }] })

  await page.getByLabel('Open').focus()
  const kept = asks('storage.set')
  await tab.keyboard.press('ArrowRight')
  await page.getByText('Meet on Mondays').waitFor({ state: 'detached' })
  await own.waitFor()
  await kept
  t.same(faults, [])
})

t.test('each sees it in an own way, and on any screen', { skip: noChromium }, async (t) => {
  const { tab, faults, show } = await openTab(t, site, booted)
  const hers = await show(kim, view)
  await hers.getByText('Ship on Fridays').waitFor()
  t.ok(await hers.getByLabel('Open').isChecked())
  const mine = await show(ada, view)
  await mine.getByText('We forget').waitFor()
  t.ok(await mine.getByLabel('Accepted').isChecked(), 'as it was left')

  const colour = () => mine.evaluate('getComputedStyle(document.body).backgroundColor')
  const light = await colour()
  await tab.evaluate(`shown.setContext({ theme: 'dark' })`)
  await mine.locator('[data-theme=dark]').waitFor()
  t.not(await colour(), light)
  for (const width of [320, 1400]) {
    await tab.setViewportSize({ width, height: 700 })
    const wide = await mine.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    t.ok(wide <= 0, `nothing sticks out at ${width}`)
  }

  await ada.put(`${app.at}/status`, { status: 'off' })
  await mine.getByText('All', { exact: true }).click()
  await mine.getByRole('alert').waitFor()
  t.match(await mine.getByRole('alert').textContent(), /not enabled/)
  t.same(faults, [])
})
