import type { Static } from 'typebox'
import { Type } from 'typebox'

const count = (env: string, value: number, maximum: number, description: string) =>
  Type.Integer({ env, minimum: 1, maximum, default: value, description })

export const ArchiveSettings = Type.Object({
  archiveBytes: count(
    'ARCHIVES_BYTES',
    5_368_709_120,
    5_368_709_120,
    'Greatest archive; the greatest file (`fileBytes` of `files`) bounds it as well'
  ),
  unpackedBytes: count(
    'ARCHIVES_UNPACKED_BYTES',
    2_147_483_648,
    1_000_000_000_000,
    'All that an archive unpacks to'
  ),
  archiveEntries: count('ARCHIVES_ENTRIES', 10_000, 60_000, 'Files in an archive'),
  archiveRecords: count('ARCHIVES_RECORDS', 500_000, 10_000_000, 'Records in an archive'),
  mostRunning: count('ARCHIVES_MOST_RUNNING', 4, 100, 'Exports and imports of an owner at a time'),
  trustedKeys: Type.String({
    env: 'ARCHIVES_TRUSTED_KEYS',
    default: '',
    pattern: '^(?:[0-9a-f]{64}(?:,[0-9a-f]{64})*)?$',
    description:
      'Ids of keys of other platforms (SHA-256, in hex), with commas between: what they signed is believed'
  })
})
export type ArchiveSettings = Static<typeof ArchiveSettings>
