import { Changes, Data, OrNull, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Storage = Type.Enum(['object', 'content-addressed'], {
  description:
    '`content-addressed`: items also have a CID, by which a content-addressed network knows the same bytes'
})
const Preference = Type.Object(
  {
    owner: Type.String(),
    storage: Storage,
    version: Type.Integer({
      description: 'Version, incremented on each update; also the ETag; 0 before the first one'
    }),
    updatedAt: OrNull(Time)
  },
  { title: 'StoragePreference' }
)
const PreferenceChanges = Changes(Preference, ['storage'])
export type Preference = Static<typeof Preference>
export type Storage = Static<typeof Storage>

const Row = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  storage: Storage,
  version: Type.Integer(),
  updatedAt: Time
})
export const preferences = table('library.preference', Row, { what: 'Storage preference' })

const tags = ['library']
export const readPreference = {
  tags,
  summary: 'Read the storage preference',
  response: { 200: Data(Preference) }
}
export const updatePreference = {
  tags,
  summary: 'Set the preference: object storage or content-addressed network storage',
  description:
    'Of the owner of what the caller makes. Items that are there get their CIDs in the background, as new ones do; a CID stays, whatever the preference becomes.',
  body: PreferenceChanges,
  response: { 200: Data(Preference) }
}
