// budget: 14 s, because a browser answers a run of a platform with all its packs
// tier: whole
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

t.test('what a run waits for is answered in the chat', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const agent = await ada.agent()
  const { sessionId } = (
    await ada.post('/v1/agents/run', {
      agentId: agent.id,
      messages: [{ role: 'user', content: '/call dice {"sides":6}' }],
      cliTools: [{ name: 'dice' }]
    })
  ).body.data
  const tab = await open(ada, '/')
  const { page } = tab
  await page.getByText(/Result of dice/).waitFor()
  await look(t, tab, 'home with a run')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('region', { name: 'Waits for you' }).getByRole('link').click()
  await page.getByLabel('Result', { exact: true }).waitFor()
  await look(t, tab, 'chat waits')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByLabel('Result', { exact: true }).fill('4')
  await page.getByRole('button', { name: 'Send result' }).click()
  await page.getByRole('button', { name: 'Copy answer' }).waitFor()
  const { messages } = (await ada.get(`/v1/sessions/${sessionId}/full`)).body.data
  t.match(
    messages.find(({ role }: { role: string }) => role === 'tool'),
    { toolName: 'dice', content: '4' }
  )

  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByRole('link', { name: '/call dice' }).click()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Title').fill('A throw')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { level: 1, name: 'A throw' }).waitFor()
  await look(t, tab, 'session')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No sessions yet').waitFor()
  t.equal((await ada.get(`/v1/sessions/${sessionId}`)).status, 404)
})
