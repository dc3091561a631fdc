import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { AbortMultipartUploadCommandInput, ListObjectsV2CommandInput } from '@aws-sdk/client-s3'
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  S3Client
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { StorageSettings } from '../settings.ts'
import type { Driver } from './driver.ts'
import { isMissing, reached, storageFailure } from './s3-failures.ts'

/** Of an upload in parts: two of them are in memory. */
const PART_BYTES = 8_388_608
const PARTS_AT_ONCE = 2
const CONNECT_MS = 5_000
/** Without a byte. */
const SILENCE_MS = 60_000
const TRIES = 3

/**
 * Objects in a bucket: `<prefix>objects/<aa>/<sha256>`. An upload goes to `<prefix>incoming/<uuid>`, since its digest is known
 * when it is over, and is copied within the bucket.
 */
export function openS3(settings: StorageSettings & { readonly bucket: string }) {
  const { bucket: Bucket, prefix } = settings
  const client = createClient(settings)
  const incoming = `${prefix}incoming/`
  const keyOf = (sha256: string) => `${prefix}objects/${sha256.slice(0, 2)}/${sha256}`
  const discard = async (Key: string) =>
    void (await reached(client.send(new DeleteObjectCommand({ Bucket, Key }))))

  const driver: Driver = {
    async stage(source) {
      const Key = `${incoming}${randomUUID()}`
      let broken: { readonly error: unknown } | undefined
      const Body = Readable.from(
        (async function* () {
          try {
            yield* source
          } catch (error) {
            broken = { error }
            throw error
          }
        })(),
        { objectMode: false, highWaterMark: PART_BYTES / 8 }
      )
      // Its failure aborts the parts that were sent.
      const upload = new Upload({
        client,
        params: { Bucket, Key, Body },
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE
      })
      try {
        await upload.done()
      } catch (error) {
        Body.destroy()
        throw broken ? broken.error : storageFailure(error)
      }
      return {
        discard: () => discard(Key),
        async commit(sha256) {
          const CopySource = `${Bucket}/${Key}`
          await reached(client.send(new CopyObjectCommand({ Bucket, Key: keyOf(sha256), CopySource })))
          // Should this fail, a sweep takes it.
          await discard(Key).catch(() => undefined)
        }
      }
    },

    async has({ sha256, size }) {
      try {
        const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key: keyOf(sha256) }))
        return ContentLength === size
      } catch (error) {
        if (isMissing(error)) return false
        throw storageFailure(error)
      }
    },

    async open(sha256, range) {
      const Range = range && `bytes=${range.start}-${range.end}`
      const { Body } = await reached(
        client.send(new GetObjectCommand({ Bucket, Key: keyOf(sha256), ...(Range && { Range }) }))
      )
      return Body as Readable
    },

    remove: (sha256) => discard(keyOf(sha256)),

    async removeStaged(before) {
      let removed = 0
      const input: ListObjectsV2CommandInput = { Bucket, Prefix: incoming }
      for await (const page of reachedPages(paginateListObjectsV2({ client }, input)))
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (Key === undefined || LastModified === undefined || LastModified >= before) continue
          await discard(Key)
          removed++
        }
      for await (const upload of unfinished(client, Bucket, incoming)) {
        if (upload.begun >= before) continue
        await reached(client.send(new AbortMultipartUploadCommand(upload.input)))
        removed++
      }
      return removed
    }
  }
  return { driver, close: () => client.destroy() }
}

function createClient({ endpoint, region, accessKeyId, secretAccessKey, pathStyle }: StorageSettings) {
  return new S3Client({
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    forcePathStyle: pathStyle,
    maxAttempts: TRIES,
    // Other servers than that of AWS need not know the checksums that it came to ask for; ours is the object's name.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS }
  })
}

async function* reachedPages<T>(pages: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* pages
  } catch (error) {
    throw storageFailure(error)
  }
}

/** Uploads in parts that nobody completed. */
async function* unfinished(client: S3Client, Bucket: string, Prefix: string) {
  for (let from = {}; ; ) {
    const page = await reached(client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...from })))
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      const input: AbortMultipartUploadCommandInput = { Bucket, Key, UploadId }
      yield { input, begun: Initiated ?? new Date() }
    }
    if (!page.IsTruncated) return
    from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
  }
}
