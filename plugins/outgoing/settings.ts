import type { Static } from 'typebox'
import { Type } from 'typebox'

export const OutgoingSettings = Type.Object({
  allow: Type.String({
    default: '',
    maxLength: 10_000,
    env: 'OUTGOING_ALLOW',
    description:
      'Hosts, hosts with a port, addresses and ranges that may be connected to although they are private, ' +
      'comma-separated; `*`, outside production only: all'
  }),
  connectTimeout: Type.Integer({
    minimum: 1,
    maximum: 600_000,
    default: 5_000,
    description: 'How long a connection may take, with its name and its TLS handshake, in milliseconds'
  }),
  connections: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 256,
    description: 'Connections to one origin at a time; what is more waits'
  })
})
export type OutgoingSettings = Static<typeof OutgoingSettings>
