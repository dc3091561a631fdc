import type { Static } from 'typebox'
import { Type } from 'typebox'
import { CAPABILITY_NAME } from '../manifest/schema.ts'

const closed = { additionalProperties: false }
const Ids = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
      maxItems: 100,
      uniqueItems: true,
      description
    })
  )

/** What an app may do: never more than its manifest asks for. */
export const Grants = Type.Object(
  {
    capabilities: Type.Array(
      Type.Object(
        {
          name: Type.String({
            pattern: CAPABILITY_NAME,
            maxLength: 100,
            description: 'As the manifest asks for it'
          }),
          agents: Ids('Only with these agents. Left out: with each that the caller may use'),
          spaces: Ids(
            'Only with these spaces, of knowledge or of messages as the capability has them. Left out: with each that the caller may use'
          )
        },
        closed
      ),
      { maxItems: 50 }
    ),
    hosts: Type.Array(Type.String({ minLength: 1, maxLength: 260 }), {
      maxItems: 100,
      description: 'Hosts that it may talk to, each of them within what the manifest asks for'
    })
  },
  { title: 'AppGrants', ...closed }
)
export type Grants = Static<typeof Grants>
export type CapabilityGrant = Grants['capabilities'][number]

export const noGrants: Grants = { capabilities: [], hosts: [] }
