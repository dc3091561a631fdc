import { Closed, OrNull } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

/** In coins, not in minor units. */
export const Decimal = (description: string) =>
  Type.String({ pattern: '^\\d{1,30}(\\.\\d{1,36})?$', description, examples: ['1.5'] })
export const AddressText = (description: string) =>
  Type.String({
    pattern: '^0x[0-9a-fA-F]{40}$',
    description,
    examples: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8']
  })

const Limits = Closed({
  maxPerPayment: OrNull(Decimal('More is not paid at once; null: no limit')),
  maxPerDay: OrNull(Decimal('More is not paid within 24 hours, fees left out; null: no limit')),
  approvalAbove: OrNull(Decimal('For more a person is asked; null: for nothing'))
})
export type Limits = Static<typeof Limits>

export const Policy = Type.Object(
  {
    stablecoin: Limits,
    native: Limits,
    recipients: OrNull(
      Type.Array(AddressText('An address'), {
        maxItems: 100,
        description: 'Who may be paid; null: anyone'
      })
    ),
    hosts: OrNull(
      Type.Array(Type.String({ pattern: '^(\\*\\.)?[a-z0-9.-]{1,253}(:\\d{1,5})?$' }), {
        maxItems: 100,
        description: 'Hosts that may be paid by x402, `*.` and a name for those below it; null: any'
      })
    )
  },
  {
    title: 'WalletPolicy',
    additionalProperties: false,
    description: 'Checked where payments are signed. Replaced as a whole'
  }
)
export type Policy = Static<typeof Policy>

/** Of a wallet that is made without one: small change alone. */
export const cautious: Policy = {
  stablecoin: { maxPerPayment: '10', maxPerDay: '50', approvalAbove: '1' },
  native: { maxPerPayment: '0.01', maxPerDay: '0.05', approvalAbove: '0' },
  recipients: null,
  hosts: null
}
