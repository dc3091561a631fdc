import type { Static } from 'typebox'
import { Type } from 'typebox'

export const WalletSettings = Type.Object({
  networks: Type.Optional(
    Type.String({
      env: 'WALLET_NETWORKS',
      maxLength: 100_000,
      secret: true,
      description:
        'Networks of wallets, as a JSON list: each `{id,chainId,rpcUrl}`, and what its README names besides. The first is the default'
    })
  ),
  signer: Type.String({
    env: 'WALLET_SIGNER',
    pattern: '^[a-z][a-z0-9-]{0,63}$',
    default: 'local',
    description: 'Who keeps the keys of new wallets: `local`, this platform, or the key of a pack’s signer'
  }),
  signerSeconds: Type.Integer({
    env: 'WALLET_SIGNER_SECONDS',
    minimum: 1,
    maximum: 60,
    default: 10,
    description: 'Seconds that the signer of a pack may take for one answer'
  }),
  operator: Type.Optional(
    Type.String({
      env: 'WALLET_OPERATOR',
      pattern: '^wallet_[0-9a-z]{26}$',
      description:
        'The wallet that pays for what the platform itself writes to a chain, such as anchors of provenance'
    })
  ),
  facilitator: Type.Optional(
    Type.String({
      env: 'WALLET_FACILITATOR',
      pattern: '^https?://',
      maxLength: 2_000,
      description:
        'Address of an x402 facilitator that has payments taken for answers of the platform; left out: the operator’s wallet does, and pays the fee'
    })
  ),
  rpcSeconds: Type.Integer({
    env: 'WALLET_RPC_SECONDS',
    minimum: 1,
    maximum: 120,
    default: 15,
    description: 'Seconds that a network may take for one answer'
  })
})
export type WalletSettings = Static<typeof WalletSettings>
