// budget: 5 s, because transactions have to be stuck for a while
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { ended, open, pay, stage, walletOf } from './testbed.ts'

t.test('what may happen to a transaction on its chain', async (t) => {
  const network = { pollSeconds: 0.2, stuckSeconds: 1, confirmations: 2 }
  const { as, chain, platform } = await stage(t, network, [], { env: { WALLET_RPC_SECONDS: '1' } })
  const ada = as('ada')
  const to = chain.merchant
  const wallet = await walletOf(ada, chain, { policy: open })
  const mine = (blocks = 1) => chain.ask('anvil_mine', [`0x${blocks.toString(16)}`])
  const read = async ({ id }: { id: string }) =>
    (await ada.get(`/v1/wallets/${wallet.id}/transfers/${id}`)).body.data
  const inPool = async (hash: string) => (await chain.ask('eth_getTransactionByHash', [hash])) !== null
  const paid = async (work: () => Promise<unknown>) => {
    const before = await chain.tokens(to)
    await work()
    return (await chain.tokens(to)) - before
  }
  await chain.ask('evm_setAutomine', [false])

  t.test('it is forgotten by the network: the same bytes are sent again', async (t) => {
    const amount = await paid(async () => {
      const transfer = await pay(ada, wallet, { to, amount: '1' })
      await until(() => inPool(transfer.hash), Boolean)
      await chain.ask('anvil_dropTransaction', [transfer.hash])
      await until(() => inPool(transfer.hash), Boolean)
      await mine(2)
      t.match(await ended(ada, transfer), { status: 'confirmed', hash: transfer.hash })
    })
    t.equal(amount, 1_000_000n)
  })

  t.test('its fee is too low by now: it is sent with a higher one, and paid once', async (t) => {
    const amount = await paid(async () => {
      const transfer = await pay(ada, wallet, { to, amount: '1' })
      await until(() => inPool(transfer.hash), Boolean)
      await chain.ask('anvil_setNextBlockBaseFeePerGas', ['0x4a817c800'])
      await mine()
      const dearer = await until(
        () => read(transfer),
        ({ hash }) => hash !== transfer.hash
      )
      t.equal(dearer.status, 'pending')
      await until(() => inPool(dearer.hash), Boolean)
      const sent = await platform.knex('wallets.transaction').where({ transferId: transfer.id })
      t.ok(sent.length >= 2)
      await mine(2)
      t.match(await ended(ada, transfer), { status: 'confirmed' })
      await chain.ask('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca00'])
      await mine(3)
    })
    t.equal(amount, 1_000_000n)
  })

  t.test('its block is taken back: it is no payment until it is in one that stays', async (t) => {
    const amount = await paid(async () => {
      const transfer = await pay(ada, wallet, { to, amount: '1' })
      await until(() => inPool(transfer.hash), Boolean)
      await mine()
      t.ok(await chain.ask('eth_getTransactionReceipt', [transfer.hash]))
      t.match(await read(transfer), { status: 'pending' }, 'one block is not enough')
      await chain.ask('anvil_reorg', [1, []])
      t.equal(await chain.ask('eth_getTransactionReceipt', [transfer.hash]), null)
      await until(() => inPool(transfer.hash), Boolean)
      await mine(2)
      t.match(await ended(ada, transfer), { status: 'confirmed' })
    })
    t.equal(amount, 1_000_000n)
  })

  t.test('another transaction takes its place: it is replaced, and nothing was paid', async (t) => {
    const amount = await paid(async () => {
      const transfer = await pay(ada, wallet, { to, amount: '1' })
      await until(() => inPool(transfer.hash), Boolean)
      const { nonce } = await chain.ask('eth_getTransactionByHash', [transfer.hash])
      await chain.ask('anvil_dropTransaction', [transfer.hash])
      await chain.ask('anvil_impersonateAccount', [wallet.address])
      const other = { from: wallet.address, to, value: '0x1', nonce, maxFeePerGas: '0x174876e800' }
      await chain.ask('eth_sendTransaction', [{ ...other, maxPriorityFeePerGas: '0x174876e800' }])
      await mine(2)
      t.match(await ended(ada, transfer), { status: 'replaced', failure: /taken its place/ })
    })
    t.equal(amount, 0n)
  })

  t.test('the chain is gone for a while: nothing is lost', async (t) => {
    const amount = await paid(async () => {
      const transfer = await pay(ada, wallet, { to, amount: '1' })
      await until(() => inPool(transfer.hash), Boolean)
      chain.pause()
      t.match(await ada.post(`/v1/wallets/${wallet.id}/transfer`, { to, amount: '1' }), {
        status: 504,
        body: { error: { code: 'network_unreachable' } }
      })
      await delay(500)
      t.match(await read(transfer), { status: 'pending' })
      chain.goOn()
      await mine(2)
      t.match(await ended(ada, transfer), { status: 'confirmed' })
    })
    t.equal(amount, 1_000_000n)
  })

  t.test('what reverts in its block has failed', async (t) => {
    await chain.block(to, true)
    const transfer = await pay(ada, wallet, { to, amount: '1' })
    await until(() => inPool(transfer.hash), Boolean)
    await mine(2)
    t.match(await ended(ada, transfer), { status: 'failed', failure: /refused/ })
  })

  t.test('the network is too dear: nothing is sent', async (t) => {
    await chain.block(to, false)
    await mine()
    await chain.ask('anvil_setNextBlockBaseFeePerGas', ['0x746a528800'])
    await mine()
    t.match(await ada.post(`/v1/wallets/${wallet.id}/transfer`, { to, amount: '1' }), {
      status: 503,
      body: { error: { code: 'fee_too_high' } }
    })
  })
})
