import type { Owned } from 'agent-platform'
import { Data, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Sha256 = Type.String({ description: 'SHA-256, in hex' })

export const Anchor = Type.Object(
  {
    id: Type.String(),
    traceId: Type.String(),
    root: Type.String({ description: 'Of the tree of the bundle, in hex' }),
    status: Type.Enum(['pending', 'confirmed']),
    batch: OrNull(
      Type.Object(
        {
          root: Type.String({
            description:
              'What stands on the chain, in hex: the data of the transaction, or what it calls `timestamp` of EAS with'
          }),
          index: Type.Integer({ description: 'Which leaf the bundle’s root is, as hexadecimal text' }),
          size: Type.Integer(),
          proof: Type.Array(Sha256, { description: 'The inclusion proof (RFC 6962)' })
        },
        { description: 'Roots that are anchored together; null until then' }
      )
    ),
    network: OrNull(Type.String()),
    chainId: OrNull(Type.Integer()),
    transaction: OrNull(Type.String({ description: 'Its hash' })),
    block: OrNull(Type.Integer({ description: 'In which it stands' })),
    contract: OrNull(Type.String({ description: 'Of EAS; null for a plain transaction' })),
    failure: OrNull(Type.String({ description: 'What holds it up' })),
    createdAt: Time,
    confirmedAt: OrNull(Time)
  },
  { title: 'ProvenanceAnchor' }
)
export type Anchor = Static<typeof Anchor>

/** As it is shown. */
export const shownAnchor = ({ project: _, owner: __, ...anchor }: Anchor & Owned): Anchor => anchor

export const anchorTrace = {
  tags: ['provenance'],
  summary: 'Anchor the bundle commitment on-chain',
  description:
    'Of a run or a session, as its bundle is now: the root of its tree is written to a chain, together with others, by a wallet of the platform’s. ' +
    'The same bundle is anchored once. Ask again, or for the bundle, to see whether it is confirmed',
  params: Type.Object({ traceId: Type.String({ maxLength: 128 }) }),
  response: { 200: Data(Anchor) }
}
