// budget: 12 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { service } from '../loopback.ts'
import { until } from '../packs/stage.ts'
import { look, skip, stage } from './testbed.ts'

t.test('a program elsewhere is told what happened, fails, and is told once more', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  let status = 500
  const receiver = await service(t, (reply) => reply.writeHead(status).end('Not today'))
  const tab = await open(ada, '/webhooks')
  const { page } = tab
  await page.getByRole('button', { name: 'New webhook' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill(`${receiver.url}/hooks`)
  await dialog.getByLabel('Description').fill('Tells <b>the shop</b>')
  await dialog.getByRole('combobox', { name: 'Events' }).fill('agents.')
  await page.getByRole('option', { name: 'agents.created' }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await dialog.getByText('It is shown this once').waitFor()
  const secret = /whsec_[A-Za-z0-9+/]{43}=/.exec((await dialog.textContent()) ?? '')?.[0] ?? ''
  await look(t, tab, 'webhook secret')
  await page.setViewportSize({ width: 1280, height: 800 })
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('cell', { name: 'Tells <b>the shop</b>' }).waitFor()
  await look(t, tab, 'webhooks')
  t.notMatch(await page.content(), secret, 'it is shown no more')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByText('Nothing was sent yet').waitFor()
  await ada.agent({ name: 'Pilot' })
  await until(
    async () => receiver.asked.length,
    (count) => count > 0
  )
  const deliveries = page.getByRole('table', { name: 'Deliveries' })
  await deliveries.getByText('500').first().waitFor()
  await look(t, tab, 'webhook')
  await page.setViewportSize({ width: 1280, height: 800 })
  await deliveries.getByRole('button', { name: 'What was sent of agents.created' }).click()
  await dialog.getByText('Not today').first().waitFor()
  await dialog.getByText('"name": "Pilot"').waitFor()
  await look(t, tab, 'webhook delivery')
  await dialog.getByRole('button', { name: 'Close' }).click()
  status = 200
  await page.setViewportSize({ width: 1280, height: 800 })
  await deliveries.getByRole('button', { name: 'Send again: agents.created' }).click()
  await deliveries.getByText('delivered').waitFor()
  const last = receiver.asked.at(-1)
  const told = new Webhook(secret).verify(last?.body ?? '', last?.headers as Record<string, string>)
  t.match(told, { type: 'agents.created', data: { name: 'Pilot' } })

  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByRole('button', { name: 'Switch on' }).waitFor()
  const [webhook] = (await ada.get('/v1/webhooks')).body.data
  t.match(webhook, { active: false, description: 'Tells <b>the shop</b>' })
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No webhooks yet').waitFor()
  t.same((await ada.get('/v1/webhooks')).body.data, [])
})
