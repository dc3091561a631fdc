// budget: 10 s, because a browser walks through a page of a platform with all its packs
// tier: whole
import t from 'tap'
import { service } from '../loopback.ts'
import { look, skip, stage } from './testbed.ts'

t.test('a channel of an agent is connected, tried, paired and disconnected', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const agent = await ada.agent({ name: 'Pilot' })
  const theirs = await service(t, (reply) => reply.end('{}'))
  const tab = await open(ada, `/agents/${agent.id}/channels`)
  const { page } = tab
  const status = async () =>
    (await ada.post(`/v1/agents/${agent.id}/runtime/channels/webhook/status`, {})).body.data
  await page.getByRole('button', { name: 'Connect: Email' }).click()
  await page.getByLabel('SMTP server').waitFor()
  await look(t, tab, 'channels')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Not now: Email' }).click()

  await page.getByRole('button', { name: 'Connect: Webhook' }).click()
  await page.getByLabel('Address that answers are posted to').fill(`${theirs.url}/answers`)
  await page.getByRole('combobox', { name: 'Who may talk to the agent' }).click()
  await page.getByRole('option', { name: 'Conversations that were paired' }).click()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('It is shown this once').waitFor()
  t.match(await status(), { state: 'connected', access: 'paired' })
  await look(t, tab, 'channel connected')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Pair' }).click()
  await page.getByText('Write this in the conversation').waitFor()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText(/^It works/).waitFor()
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('Webhook is disconnected').waitFor()
  t.match(await status(), { state: 'disconnected' })
})
