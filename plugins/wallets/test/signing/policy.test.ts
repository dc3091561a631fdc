import t from 'tap'
import type { Network } from '../../networks/network.ts'
import { readNetworks } from '../../networks/network.ts'
import type { Policy } from '../../schemas/policy.ts'
import type { Wallet } from '../../schemas/wallets.ts'
import type { Payment, Spent } from '../../signing/policy.ts'
import { refuse } from '../../signing/policy.ts'

const [network] = readNetworks(
  JSON.stringify([
    {
      id: 'base',
      chainId: 8453,
      rpcUrl: 'https://rpc.example',
      stablecoin: {
        address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
        symbol: 'USDC',
        decimals: 6,
        name: 'USD Coin',
        version: '2'
      }
    }
  ])
) as [Network]
const none = { maxPerPayment: null, maxPerDay: null, approvalAbove: null }
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

function code(payment: Partial<Payment>, policy: Partial<Policy> = {}, spent: Partial<Spent> = {}) {
  const wallet = {
    status: 'active',
    frozen: false,
    policy: { stablecoin: none, native: none, recipients: null, hosts: null, ...policy }
  } as unknown as Wallet
  const asked = { approved: false, runId: null, untrusted: false, url: null }
  try {
    refuse(
      wallet,
      network,
      { asset: 'stablecoin', units: 100n, to, ...asked, ...payment },
      { day: 0n, untrusted: 0n, ...spent }
    )
    return undefined
  } catch (error) {
    return (error as { code?: string }).code
  }
}

t.test('answers are paid for by https, and by http on this machine alone', async (t) => {
  for (const url of [
    'http://api.example.com/',
    'http://10.0.0.1/',
    'http://127.example.com/',
    'http://[fe80::1]/'
  ])
    for (const policy of [{}, { hosts: ['api.example.com', '10.0.0.1', '127.example.com'] }])
      t.equal(code({ url: new URL(url) }, policy), 'host_not_allowed', url)
  for (const url of [
    'https://api.example.com/',
    'http://127.0.0.1:8080/',
    'http://localhost/',
    'http://[::1]/'
  ])
    t.equal(code({ url: new URL(url) }), undefined, url)
  t.equal(
    code({ url: new URL('http://api.example.com/'), approved: true }),
    'host_not_allowed',
    'a yes is no way'
  )
})

t.test('hosts are those that are named, and those below a name', async (t) => {
  const hosts = ['api.example.com', '*.shop.example', 'other.example:8443']
  const of = (url: string) => code({ url: new URL(url) }, { hosts })
  for (const url of ['https://api.example.com/', 'https://a.shop.example', 'https://other.example:8443/'])
    t.equal(of(url), undefined, url)
  for (const url of [
    'https://example.com/',
    'https://shop.example/',
    'https://evilshop.example/',
    'https://api.example.com.evil.example/',
    'https://other.example/',
    'https://api.example.com@evil.example/'
  ])
    t.equal(of(url), 'host_not_allowed', url)
})

t.test('words of strangers add up, and those of a person do not', async (t) => {
  const policy = { stablecoin: { ...none, approvalAbove: '0.0001' } }
  t.equal(code({ untrusted: true }, policy), undefined)
  t.equal(code({ untrusted: true }, policy, { untrusted: 1n }), 'approval_required')
  t.equal(code({ untrusted: false }, policy, { untrusted: 100n }), undefined)
  t.equal(code({ untrusted: true, approved: true }, policy, { untrusted: 100n }), undefined)
  t.equal(code({ units: 101n }, policy), 'approval_required')
})
