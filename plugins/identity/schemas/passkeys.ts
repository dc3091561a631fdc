import { Closed, Data, Deleted, Name, OrNull, Page, Paging, Time } from 'agent-platform'
import { Type } from 'typebox'

const Passkey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    isSynced: Type.Boolean({ description: 'Whether it is on other devices of the person as well' }),
    lastUsedAt: OrNull(Time),
    createdAt: Time
  },
  { title: 'Passkey' }
)
/** What the Web Authentication API says and takes: its form is its own. */
export const Foreign = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })
const params = Type.Object({ passkeyId: Type.String() })
const tags = ['identity']

export const beginPasskey = {
  tags,
  summary: 'Begin to add a passkey',
  response: {
    201: Data(
      Type.Object(
        {
          publicKey: Foreign(
            'For `PublicKeyCredential.parseCreationOptionsFromJSON`; good once, for five minutes'
          )
        },
        { title: 'PasskeyRequest' }
      )
    ),
    503: {}
  }
}
export const addPasskey = {
  tags,
  summary: 'Add a passkey',
  body: Closed({
    name: Name({ examples: ['Laptop'] }),
    response: Foreign('`toJSON()` of what `navigator.credentials.create` gave')
  }),
  response: { 201: Data(Passkey), 409: {}, 503: {} }
}
export const listPasskeys = {
  tags,
  summary: 'List passkeys of the caller',
  querystring: Type.Object(Paging),
  response: { 200: Page(Passkey) }
}
export const renamePasskey = {
  tags,
  summary: 'Rename a passkey',
  params,
  body: Closed({ name: Name() }),
  response: { 200: Data(Passkey) }
}
export const removePasskey = { tags, summary: 'Remove a passkey', params, response: { 200: Deleted } }
