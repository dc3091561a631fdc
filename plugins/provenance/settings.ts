import type { Static } from 'typebox'
import { Type } from 'typebox'

export const ProvenanceSettings = Type.Object({
  defaultMode: Type.Enum(['off', 'metadata', 'full'], {
    env: 'PROVENANCE_DEFAULT_MODE',
    default: 'metadata',
    description: 'What is recorded of a run whose request does not say it'
  }),
  keyDays: Type.Integer({
    env: 'PROVENANCE_KEY_DAYS',
    minimum: 1,
    maximum: 3_650,
    default: 90,
    description: 'How long a key signs bundles before another one takes its place'
  }),
  anchorSeconds: Type.Integer({
    env: 'PROVENANCE_ANCHOR_SECONDS',
    minimum: 1,
    maximum: 86_400,
    default: 60,
    description: 'Time in seconds during which anchors are batched into one on-chain transaction'
  }),
  bundleItems: Type.Integer({
    env: 'PROVENANCE_BUNDLE_ITEMS',
    minimum: 1_000,
    maximum: 1_000_000,
    default: 100_000,
    description: 'Items of a bundle, at most'
  })
})
export type ProvenanceSettings = Static<typeof ProvenanceSettings>
