import { Changes, Name, OrNull, Paging, Searching, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { AddressText, Policy } from './policy.ts'

const id = Type.String({ maxLength: 128 })

export const Wallet = Type.Object(
  {
    id: Type.String(),
    owner: Type.String(),
    agentId: Type.String({ description: 'Which agent may pay with it' }),
    name: OrNull(Name()),
    network: Type.String({ description: 'Id of a network of the deployment' }),
    chainId: Type.Integer(),
    address: AddressText('Where funds are sent to'),
    signer: Type.String({ description: 'Who keeps its key: `local`, the platform itself' }),
    primary: Type.Boolean({ description: 'The one that its agent pays with where none is named' }),
    status: Type.Enum(['active', 'deactivated']),
    frozen: Type.Boolean({ description: 'Nothing is paid while it is' }),
    policy: Policy,
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'Wallet' }
)
export type Wallet = Static<typeof Wallet>

/** `nextNonce` of the next transaction: a text, as the database gives it. */
export const wallets = table<typeof Wallet, { nextNonce: string }>('wallets.wallet', Wallet, {
  also: ['nextNonce'],
  searched: ['name', 'address']
})

export const NewWallet = Type.Object(
  {
    agentId: id,
    name: Type.Optional(OrNull(Name())),
    network: Type.Optional(
      Type.String({ maxLength: 64, description: 'Default: the first of the deployment' })
    ),
    primary: Type.Optional(
      Type.Boolean({
        description: 'Default: where the agent has no primary wallet yet. Another one is primary no more'
      })
    ),
    policy: Type.Optional(Policy)
  },
  { title: 'NewWallet', additionalProperties: false }
)
export type NewWallet = Static<typeof NewWallet>

export const WalletChanges = Changes(Wallet, ['name', 'primary', 'frozen', 'policy'])
export type WalletChanges = Static<typeof WalletChanges>

const status = Type.Optional(Type.Enum(['active', 'deactivated']))
export const WalletsOfAgentQuery = Type.Object({ ...Paging, status })
export const WalletQuery = Type.Object({ ...Searching, agentId: Type.Optional(id), status })
export type WalletQuery = Static<typeof WalletQuery>

const Held = Type.Object(
  {
    symbol: Type.String(),
    decimals: Type.Integer(),
    amount: Type.String({ description: 'In coins, a decimal' }),
    minorUnits: Type.String({ description: 'An integer' })
  },
  { title: 'WalletHolding' }
)
export const Balance = Type.Object(
  {
    walletId: Type.String(),
    network: Type.String(),
    address: Type.String(),
    native: Held,
    stablecoin: OrNull(Held)
  },
  { title: 'WalletBalance' }
)
export type Balance = Static<typeof Balance>
