// budget: 15 s, because two browsers share a space of a platform with all its packs
// tier: whole
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

t.test('two people and an agent share a space, live', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const [ada, bob] = [booted.as('ada'), booted.as('bob')]
  await ada.agent({ name: 'Pilot', modelProvider: 'local' })
  const tab = await open(ada, '/spaces')
  const { page } = tab
  await page.getByText('No spaces here').waitFor()
  await look(t, tab, 'spaces none')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'New space' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New space' })
  await dialog.getByLabel('Name').fill('Harbour')
  await dialog.getByLabel('Everyone in the project').check()
  await dialog.getByRole('button', { name: 'Create space' }).click()
  await page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor()
  await page.getByRole('combobox', { name: 'Add an agent' }).click()
  await page.getByRole('option', { name: 'Pilot' }).click()
  await page.getByRole('button', { name: 'Add agent' }).click()
  await page.getByRole('combobox', { name: 'When Pilot answers' }).waitFor()

  const other = await open(bob, '/spaces?which=public')
  await other.page.getByRole('button', { name: 'Join' }).click()
  await other.page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor()
  await other.page.getByLabel('Message', { exact: true }).fill('Hello <script>alert(1)</script>')
  await page.getByText('bob is typing').waitFor()
  await other.page.keyboard.press('Enter')
  const log = page.getByRole('log', { name: 'Messages' })
  await log.getByText('Hello <script>alert(1)</script>').waitFor()
  await log.getByRole('button', { name: '👍 0' }).click()
  await other.page.getByRole('button', { name: '👍 1' }).waitFor()

  await log.getByRole('button', { name: 'Reply' }).click()
  await page.getByText('Answers bob: Hello').waitFor()
  await page.getByLabel('Message', { exact: true }).fill('@Pilot\n/say Welcome aboard')
  await page.getByRole('button', { name: 'Send' }).click()
  await log.getByText('Welcome aboard', { exact: true }).waitFor()
  await other.page
    .getByRole('log', { name: 'Messages' })
    .getByText('Welcome aboard', { exact: true })
    .waitFor()
  const [space] = (await ada.get('/v1/spaces')).body.data
  const said = (await ada.get(`/v1/spaces/${space.id}/messages`)).body.data
  t.match(said, [{ authorName: 'Pilot' }, { content: /^@Pilot/, replyToId: said[2].id }, { authorId: 'bob' }])
  await look(t, tab, 'space')
  t.same(other.faults, [])
})
