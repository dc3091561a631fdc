// budget: 20 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import t from 'tap'
import { envOf, walletOf } from '../../plugins/wallets/test/testbed.ts'
import { startChain } from '../chain/chain.ts'
import { look, skip, stage } from './testbed.ts'

t.test('a person makes a wallet for an agent, sets what it may pay, and freezes it', { skip }, async (t) => {
  const chain = await startChain(t)
  const { booted, open } = await stage(t, {
    env: envOf({ ...chain.network, explorer: 'https://scan.example' })
  })
  const ada = booted.as('ada')
  const agent = await ada.agent({ name: 'Pilot' })
  const tab = await open(ada, '/wallets')
  const { page } = tab
  await page.getByText('There are no wallets').waitFor()
  await look(t, tab, 'wallets none', { at: 1 })
  await page.getByRole('button', { name: 'New wallet' }).click()
  const dialog = page.getByRole('dialog', { name: 'New wallet' })
  await dialog.getByRole('combobox', { name: 'Agent' }).or(dialog.getByLabel('Agent')).first().click()
  await page.getByRole('option', { name: 'Pilot' }).click()
  await dialog.getByLabel('Name').fill('Shopping')
  await dialog.getByRole('button', { name: 'Create wallet' }).click()
  await page.getByRole('heading', { name: 'Shopping' }).waitFor()
  await page.getByText('0 TUSD').waitFor()

  await page.getByLabel('At most at once').first().fill('2')
  await page.getByLabel('Who may be paid').fill(chain.merchant)
  await page.getByRole('button', { name: 'Save limits' }).click()
  await page.getByText('Its limits hold from now on').waitFor()
  const [{ id, address, policy }] = (await ada.get('/v1/wallets')).body.data
  t.match(policy, { stablecoin: { maxPerPayment: '2' }, recipients: [chain.merchant] })

  await chain.give(address, 10n ** 18n)
  await chain.mint(address, 25_000_000n)
  t.equal((await ada.post(`/v1/wallets/${id}/transfer`, { to: chain.merchant, amount: '1.5' })).status, 201)
  await page.getByRole('cell', { name: '1.5 TUSD' }).waitFor()
  await page.getByText('confirmed').waitFor()
  await page.reload()
  await page.getByText('23.5 TUSD').waitFor()
  await look(t, tab, 'wallet')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Freeze' }).click()
  await page.getByText('It is frozen').waitFor()
  t.equal((await ada.post(`/v1/wallets/${id}/transfer`, { to: chain.merchant, amount: '1' })).status, 409)
  await page.getByRole('button', { name: 'Unfreeze' }).click()
  await page.getByText('It is frozen').waitFor({ state: 'detached' })

  await walletOf(ada, chain, { agentId: agent.id, coins: 0n, dollars: 0n })
  await page.goto(`${booted.url}/console/agents/${agent.id}/wallets`)
  await page.getByRole('link', { name: 'Shopping' }).waitFor()
  await look(t, tab, 'wallets of an agent')
})
