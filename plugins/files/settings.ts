import type { Static } from 'typebox'
import { Type } from 'typebox'

const count = (env: string, value: number, maximum: number, description: string) =>
  Type.Integer({ env, minimum: 1, maximum, default: value, description })

export const FileSettings = Type.Object({
  fileBytes: count('FILE_BYTES', 104_857_600, 5_368_709_120, 'Greatest file, in bytes; 5 GiB at most'),
  avatarBytes: count('FILES_AVATAR_BYTES', 5_242_880, 52_428_800, 'Greatest image of an avatar, in bytes'),
  filesPerUpload: count('FILES_PER_UPLOAD', 10, 100, 'Files of one upload'),
  ownerBytes: count(
    'FILES_OWNER_BYTES',
    10_737_418_240,
    1_000_000_000_000_000,
    'Bytes of all files of an owner; the same bytes count as often as they were uploaded'
  ),
  ownerFiles: count('FILES_OWNER_FILES', 100_000, 1_000_000_000, 'Files of an owner')
})
export type FileSettings = Static<typeof FileSettings>
