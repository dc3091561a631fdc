import type { Static } from 'typebox'
import { Type } from 'typebox'

const text = (env: string, description: string) =>
  Type.Optional(Type.String({ env, minLength: 1, maxLength: 1_000, description }))

export const StorageSettings = Type.Object({
  driver: Type.Union([Type.Literal('disk'), Type.Literal('s3')], {
    env: 'STORAGE_DRIVER',
    default: 'disk',
    description: 'Where objects lie: in `DATA_DIR`, which all instances must share, or in a bucket of S3'
  }),
  bucket: text('S3_BUCKET', 'Bucket of objects; needed by `s3`'),
  prefix: Type.String({
    env: 'S3_PREFIX',
    pattern: '^(?:[A-Za-z0-9._-]+/)*$',
    maxLength: 200,
    default: '',
    description: 'Before the keys of objects in the bucket, with a slash at its end'
  }),
  endpoint: Type.Optional(
    Type.String({
      env: 'S3_ENDPOINT',
      pattern: '^https?://[^@?#]+$',
      description: 'Address of a server that speaks S3; else that of AWS'
    })
  ),
  region: text('S3_REGION', 'Region of the bucket; else what the AWS SDK finds: its variable, its profile'),
  accessKeyId: text(
    'S3_ACCESS_KEY_ID',
    'With `secretAccessKey`; else what the AWS SDK finds: its variables, its profile, the role of the machine'
  ),
  secretAccessKey: Type.Optional(
    Type.String({
      env: 'S3_SECRET_ACCESS_KEY',
      secret: true,
      maxLength: 1_000,
      description: 'Of `accessKeyId`'
    })
  ),
  pathStyle: Type.Boolean({
    env: 'S3_FORCE_PATH_STYLE',
    default: false,
    description: 'The bucket in the path instead of in the host name, as most servers but AWS want it'
  }),
  graceMinutes: Type.Integer({
    env: 'STORAGE_GRACE_MINUTES',
    minimum: 5,
    maximum: 100_000,
    default: 1_440,
    description:
      'After so long without anything that holds it an object is deleted, and an upload that was left'
  })
})
export type StorageSettings = Static<typeof StorageSettings>
