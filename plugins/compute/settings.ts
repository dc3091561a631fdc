import type { Static } from 'typebox'
import { Type } from 'typebox'

const Milliseconds = (byDefault: number, description: string) =>
  Type.Integer({
    minimum: 1,
    maximum: 3_600_000,
    default: byDefault,
    description: `${description}, in milliseconds`
  })

export const ComputeSettings = Type.Object({
  url: Type.Optional(
    Type.String({
      format: 'uri',
      pattern: '^https?://[^@?#]+$',
      env: 'COMPUTE_URL',
      description: 'Address of the compute service, perhaps with a path; without it `/v1/compute` answers 503'
    })
  ),
  audience: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Audience of principal envelopes; default: the origin of `url`'
    })
  ),
  connectTimeout: Milliseconds(5_000, 'How long a connection may take, with its TLS handshake'),
  firstByteTimeout: Milliseconds(30_000, 'How long a reply may take to begin'),
  idleTimeout: Milliseconds(60_000, 'How long a reply may pause'),
  bodyLimit: Type.Integer({
    minimum: 1,
    maximum: 1_099_511_627_776,
    default: 104_857_600,
    description: 'Greatest body of a request, in bytes'
  })
})
export type ComputeSettings = Static<typeof ComputeSettings>
