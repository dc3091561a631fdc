// budget: 25 s, because a browser opens every page of a platform with all its packs three times
// tier: whole
import type { Test } from 'tap'
import t from 'tap'
import type { Opened, Stage } from './testbed.ts'
import { cutOff, look, settled, skip, stage } from './testbed.ts'

t.test('every page of the navigation and every tab of an agent', { skip }, async (t) => {
  const place = await stage(t)
  const { id } = await place.booted.as('ada').agent({ name: 'Empty' })
  await t.test('on a phone, where there is nothing', (t) => nothing(t, place, id))
  await t.test('where what it reads fails', (t) => failing(t, place, id))
  await t.test('for who may not read it', (t) => refused(t, place, id))
})

/** Opens each in turn, and says which. */
async function through(
  { page }: Opened,
  agentId: string | undefined,
  visit: (name: string) => Promise<void>
) {
  await page.getByRole('heading', { level: 1 }).waitFor()
  const menu = page.locator('nav[aria-label=Main]')
  for (const link of await menu.locator('.mantine-NavLink-root').all()) {
    const name = (await link.textContent()) ?? ''
    // Without the menu, which stands behind a button on a phone.
    const to = (await link.getAttribute('href')) ?? ''
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(to)})`)
    await menu.locator('a[aria-current=page]', { hasText: name }).waitFor({ state: 'attached' })
    await settled(page)
    await visit(name)
  }
  if (agentId === undefined) return
  await page.goto(`${new URL(page.url()).origin}/console/agents/${agentId}`)
  await page.getByRole('tab', { name: 'Chat' }).waitFor()
  for (const tab of await page.getByRole('tab').all()) {
    const name = (await tab.textContent()) ?? ''
    await tab.click()
    await page.getByRole('tab', { name, exact: true, selected: true }).waitFor()
    await settled(page)
    await visit(`agent, ${name}`)
  }
}

async function nothing(t: Test, { booted, open }: Stage, agentId: string) {
  const tab = await open(booted.as('ada'), '/', { viewport: { width: 390, height: 800 } })
  await through(tab, agentId, async (name) => {
    t.same(await tab.page.evaluate(cutOff), [], name)
  })
  // The browser itself tells that projects are for people who signed in, and this one did by a key.
  t.same(
    tab.faults.filter((it) => !/\b403\b/.test(it)),
    []
  )
}

async function failing(t: Test, { booted, open }: Stage, agentId: string) {
  const tab = await open(booted.as('ada'), '/')
  const { page } = tab
  const failure = { type: 'api_error', message: 'The database is away', requestId: 'req_of_this_failure' }
  const isRead = ({ pathname }: URL) => pathname.startsWith('/v1/') && pathname !== `/v1/agents/${agentId}`
  await page.route(isRead, (route) => route.fulfill({ status: 500, json: { error: failure } }))
  await page.reload()
  const told = page.getByRole('main').getByRole('alert').filter({ hasText: 'This did not work' }).first()
  await through(tab, agentId, async (name) => {
    await told.getByText('The database is away').waitFor()
    await told.getByText('req_of_this_failure').waitFor()
    t.ok(await told.isVisible(), name)
  })

  await page.getByRole('link', { name: 'Agents', exact: true }).first().click()
  await told.waitFor()
  // The browser itself tells of each 500.
  tab.faults.length = 0
  await look(t, tab, 'a page that fails')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.unroute(isRead)
  await told.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Empty' }).waitFor()
}

async function refused(t: Test, { booted, open }: Stage, agentId: string) {
  const tab = await open(booted.as('ada', { scopes: ['files:read'] }), '/')
  const { page } = tab
  const told = page.getByRole('main').getByText('You may not see this').first()
  await through(tab, undefined, async (name) => {
    await told.waitFor()
    t.ok(await told.isVisible(), name)
  })
  await page.goto(`${booted.url}/console/agents/${agentId}`)
  await told.waitFor()
  await page
    .getByText(/^Request/)
    .first()
    .waitFor()
  tab.faults.length = 0 // the browser itself tells of each 403
  await look(t, tab, 'a page that is refused')
}
