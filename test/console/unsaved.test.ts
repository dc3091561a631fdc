// budget: 25 s, because a browser types into pages of a platform with all its packs
// tier: whole
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import t from 'tap'
import type { Stage } from './testbed.ts'
import { look, skip, stage } from './testbed.ts'

t.test('keeps unsaved input', { skip }, async (t) => {
  const place = await stage(t)
  await t.test('a draft survives tabs, reload and another save', (t) => drafts(t, place))
  await t.test('a message survives until it is sent', (t) => messages(t, place))
  await t.test('asks before leaving a form with unsaved input', (t) => guards(t, place))
  await t.test('steps of a workflow survive, and are discarded on demand', (t) => steps(t, place))
  await t.test('sign-out removes what is stored', (t) => signOut(t, place))
})

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })

async function drafts(t: Test, { booted, open }: Stage) {
  const ada = booted.as('ada')
  const agent = await ada.agent({ name: 'Draft', instructions: 'Be brief.' })
  const tab = await open(ada, `/agents/${agent.id}/settings`)
  const { page } = tab
  const field = page.getByLabel('Instructions')
  await field.fill('An hour of work')
  await page.getByText('There are changes that are not saved.').waitFor()
  await page.getByRole('tab', { name: 'Chat', exact: true }).click()
  await page.getByRole('tab', { name: 'Settings', exact: true }).click()
  t.equal(await field.inputValue(), 'An hour of work', 'after another tab')
  await page.reload()
  await field.waitFor()
  t.equal(await field.inputValue(), 'An hour of work', 'after a reload')

  const changed = await ada.put(`/v1/agents/${agent.id}`, { name: 'Renamed elsewhere' })
  t.equal(changed.status, 200)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const conflict = page.getByRole('alert').filter({ hasText: 'A newer version was saved meanwhile' })
  await conflict.getByText('Renamed elsewhere').waitFor()
  t.equal(
    (await ada.get(`/v1/agents/${agent.id}`)).body.data.instructions,
    'Be brief.',
    'nothing is overwritten'
  )
  t.equal(await field.inputValue(), 'An hour of work', 'the input stays')
  tab.faults.length = 0 // the browser itself tells of the 412
  await look(t, tab, 'conflict')
  await page.setViewportSize({ width: 1280, height: 800 })

  await conflict.getByRole('button', { name: 'Keep my changes' }).click()
  t.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Renamed elsewhere')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The agent is saved').waitFor()
  t.match((await ada.get(`/v1/agents/${agent.id}`)).body.data, {
    name: 'Renamed elsewhere',
    instructions: 'An hour of work'
  })
  await page.getByText('There are changes that are not saved.').waitFor({ state: 'detached' })
  await page.reload()
  await field.waitFor()
  t.equal(await page.getByText('There are changes that are not saved.').count(), 0, 'nothing is left over')

  await field.fill('Something else')
  await ada.put(`/v1/agents/${agent.id}`, { instructions: 'Of a colleague' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await conflict.getByRole('button', { name: 'Use the newer version' }).click()
  t.equal(await field.inputValue(), 'Of a colleague')
  t.equal(await conflict.count(), 0)
}

async function messages(t: Test, { booted, open }: Stage) {
  const ada = booted.as('ada')
  const [one, other] = [await ada.agent({ name: 'One' }), await ada.agent({ name: 'Other' })]
  const { page } = await open(ada, `/agents/${one.id}`)
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('/say Here I am.')
  await page.reload()
  await box.waitFor()
  t.equal(await box.inputValue(), '/say Here I am.')
  await page.goto(`${booted.url}/console/agents/${other.id}`)
  await box.waitFor()
  t.equal(await box.inputValue(), '', 'each agent has its own')
  await page.goto(`${booted.url}/console/agents/${one.id}`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Here I am.', { exact: true }).waitFor()
  await page.goto(`${booted.url}/console/agents/${one.id}`)
  await box.waitFor()
  t.equal(await box.inputValue(), '', 'what was sent is no draft')
}

async function guards(t: Test, { booted, open }: Stage) {
  const { page, faults } = await open(booted.as('ada'), '/tool-keys')
  await page.getByRole('button', { name: 'New key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New tool key' })
  await dialog.getByLabel('Name').fill('Half a key')
  await page.keyboard.press('Escape')
  await question(page).getByRole('button', { name: 'Stay' }).click()
  t.equal(await dialog.getByLabel('Name').inputValue(), 'Half a key')
  await page.goBack()
  await question(page).getByRole('button', { name: 'Stay' }).click()
  t.match(page.url(), /tool-keys\?new=/, 'Back does not close the dialog')
  const stored: string = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')
  t.notMatch(stored, /Half a key/, 'forms with secrets are not stored')

  let asked = 0
  page.on('dialog', (it) => {
    asked++
    void it.dismiss()
  })
  await page.reload({ timeout: 3_000 }).catch(() => undefined)
  t.equal(asked, 1, 'the browser asks before a reload')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await question(page).getByRole('button', { name: 'Leave without saving' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Agents', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
  t.equal(asked, 1, 'nothing is asked about what was dropped')
  t.same(faults, [])
}

async function steps(t: Test, { booted, open }: Stage) {
  const ada = booted.as('ada')
  const definition = { steps: [{ id: 'first', type: 'transform', config: { value: '1' } }] }
  const { id } = (await ada.post('/v1/workflows', { name: 'Steps', definition })).body.data
  const { page } = await open(ada, `/workflows/${id}`)
  await page.getByRole('button', { name: 'Add a step' }).click()
  await page.getByRole('menuitem', { name: 'Wait' }).click()
  await page.getByText('There are changes that are not saved.').waitFor()
  await page.getByRole('link', { name: 'Skills', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Skills' }).waitFor()
  await page.goBack()
  await page.getByText('There are changes that are not saved.').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('There are changes that are not saved.').waitFor({ state: 'detached' })
  t.equal((await ada.get(`/v1/workflows/${id}`)).body.data.version, 1)
}

async function signOut(t: Test, { booted, open }: Stage) {
  const ada = booted.as('ada')
  const agent = await ada.agent({ name: 'Private' })
  const { page } = await open(ada, `/agents/${agent.id}/settings`)
  await page.getByLabel('Instructions').fill('Nobody else reads this')
  await page.getByText('There are changes that are not saved.').waitFor()
  t.match(await page.evaluate('JSON.stringify(localStorage)'), /Nobody else reads this/)
  await page.locator('nav[aria-label=Main] button[aria-haspopup=menu]').last().click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  t.notMatch(await page.evaluate('JSON.stringify(localStorage)'), /Nobody else reads this/)
}
