import type { Json } from './route.ts'

/** Headers of replies that several operations share. */
export const sharedHeaders = {
  RequestId: { description: 'Names the request, in every error and in the log', schema: { type: 'string' } },
  ETag: { description: 'The version, for `If-Match`', schema: { type: 'string', examples: ['"1"'] } },
  IdempotencyReplayed: {
    description: '`true` on a reply that was repeated for its `Idempotency-Key`',
    schema: { type: 'string', const: 'true' }
  },
  RetryAfter: { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1, examples: [12] } },
  WwwAuthenticate: {
    description: 'The challenge of RFC 6750',
    schema: { type: 'string', examples: ['Bearer'] }
  }
} satisfies Record<string, Json>

export const header = (name: keyof typeof sharedHeaders) => ({ $ref: `#/components/headers/${name}` })
