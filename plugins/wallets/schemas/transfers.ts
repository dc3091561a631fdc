import { OrNull, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { AddressText, Decimal } from './policy.ts'

const Asset = Type.Enum(['stablecoin', 'native'], { description: 'Which coin of the network' })
const Status = Type.Enum(['pending', 'confirmed', 'failed', 'replaced'], {
  description: '`replaced`: another transaction took its place, and nothing was paid'
})
const text = (description: string) => OrNull(Type.String({ description }))

export const Transfer = Type.Object(
  {
    id: Type.String(),
    owner: Type.String(),
    agentId: Type.String(),
    walletId: Type.String(),
    kind: Type.Enum(['transfer', 'x402', 'anchor', 'settlement'], {
      description:
        '`x402`: an answer of a server was paid for; `anchor`: a digest was written to the chain; `settlement`: what was paid for an answer of the platform was taken'
    }),
    asset: Asset,
    symbol: Type.String(),
    amount: Decimal('In coins'),
    minorUnits: Type.String({ description: 'An integer' }),
    to: AddressText('Who is paid'),
    host: text('Whose answer was paid for'),
    network: Type.String(),
    status: Status,
    hash: text('Of the transaction, the latest where one was sent anew with a higher fee'),
    explorerUrl: text('Where people look at the transaction'),
    failure: text('Why it failed, or what holds it up'),
    approved: Type.Boolean({ description: 'A person asked for it, or agreed to it' }),
    runId: text('Of the run that asked for it'),
    createdAt: Time,
    endedAt: OrNull(Time)
  },
  { title: 'WalletTransfer' }
)
export type Transfer = Static<typeof Transfer>

export const NewTransfer = Type.Object(
  {
    to: AddressText('Who is paid'),
    amount: Decimal('In coins'),
    asset: Type.Optional(Type.Enum(['stablecoin', 'native'], { default: 'stablecoin' }))
  },
  { title: 'NewWalletTransfer', additionalProperties: false }
)
export type NewTransfer = Static<typeof NewTransfer>

export const TransferQuery = Type.Object({ ...Paging, status: Type.Optional(Status) })
export type TransferQuery = Static<typeof TransferQuery>
