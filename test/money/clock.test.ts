// budget: 9 s, because agents run and pay on a chain, each time with another clock
import t from 'tap'
import {
  balanceOf,
  faultsOf,
  grant,
  ledgerOf,
  make,
  openReservations,
  run,
  setPrice,
  town
} from '../../plugins/credits/test/testbed.ts'
import { ended, envOf, open, pay, walletOf } from '../../plugins/wallets/test/testbed.ts'
import { startChain } from '../chain/chain.ts'
import { until } from '../packs/stage.ts'
import { setClock } from './wrong-clock.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** What a clock may be wrong by after a machine slept, or before it is told the time. */
const jumps = [3 * HOUR, -3 * HOUR, 2 * DAY, -400 * DAY]

const chain = await startChain(t)
const env = envOf({ ...chain.network, pollSeconds: 0.2 })
const { booted, as, root, settled } = await town(t, { env }, 'wallets', 'runs', 'jobs')
await setPrice(root, 'model', 'local/*', { output: '1000' })
t.teardown(() => setClock(0))

t.test('a clock that jumps in the middle of a run charges it once, and frees no cap', async (t) => {
  const ada = as('ada')
  await grant(root, ada, '5')
  const agent = await ada.agent({ modelProvider: 'local', maxTokens: 100 })
  for (const jump of jumps) {
    const told = run(ada, agent, '/wait 50\n/say one two three')
    await until(
      () => openReservations(booted),
      (all) => all.length === 1
    )
    setClock(jump)
    const { status, body } = await told
    t.match({ status, body }, { status: 200, body: { data: { status: 'completed' } } }, `${jump} ms`)
    await settled()
    t.equal((await ledgerOf(ada, `&runId=${body.data.id}`)).length, 1)
    t.same(await openReservations(booted), [])
    t.same(await faultsOf(booted), [])
    setClock(0)
  }
  const { available } = await balanceOf(ada)
  await make(ada, '/v1/credits/caps', { agentId: agent.id, period: 'day', limit: '0.001' })
  for (const jump of [0, 2 * DAY, -2 * DAY]) {
    setClock(jump)
    t.match(await run(ada, agent, '/say more'), { status: 402 }, 'a day is a day of the database')
  }
  setClock(0)
  t.equal((await balanceOf(ada)).available, available)
})

t.test('a clock that jumps while a payment is on its way pays once, and sees its end', async (t) => {
  const ada = as('ada')
  const wallet = await walletOf(ada, chain, { policy: open })
  for (const jump of jumps) {
    const before = await chain.tokens(chain.merchant)
    await chain.ask('evm_setAutomine', [false])
    const made = await pay(ada, wallet, { to: chain.merchant, amount: '0.5' })
    setClock(jump)
    // What is sent again, by a clock that says it has taken hours, is the same payment.
    await until(
      () => chain.ask('txpool_status'),
      ({ pending }) => Number(pending) === 1
    )
    await chain.ask('evm_setAutomine', [true])
    await chain.ask('evm_mine')
    t.match(await ended(ada, made), { status: 'confirmed' }, `${jump} ms`)
    t.equal((await chain.tokens(chain.merchant)) - before, 500_000n)
    setClock(0)
  }
})
