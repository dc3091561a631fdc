import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signatureFault } from './s3-signature.ts'

interface Kept {
  readonly body: Buffer
  readonly modified: Date
}
interface Parts {
  readonly key: string
  readonly begun: Date
  readonly parts: Map<number, Buffer>
}

/** Fails or lets through a request, by its method, its key and its query. */
export type Play = (asked: {
  method: string
  key: string
  query: URLSearchParams
}) => number | 'cut' | undefined

export const s3Keys = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
}

const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const xml = (root: string, inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inside}</${root}>`

/**
 * A server with one bucket that speaks S3 as far as the storage does, by path: it verifies the signature of each request and
 * the digest of its body, keeps objects in memory, and lists them in pages of two.
 */
export async function s3Fixture(t: { teardown(work: () => unknown): unknown }, bucket = 'files') {
  const objects = new Map<string, Kept>()
  const uploads = new Map<string, Parts>()
  let play: Play = () => undefined

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { method = '' } = request
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://s3')
    const key = decodeURIComponent(pathname.slice(bucket.length + 2))
    const played = play({ method, key, query })
    if (played === 'cut') return void request.socket.destroy()
    const body = await bodyOf(request)
    const send = (status: number, text: string | Buffer = '', headers = {}) =>
      void response.writeHead(status, { 'content-length': Buffer.byteLength(text), ...headers }).end(text)
    const refuse = (status: number, code: string) => send(status, xml('Error', `<Code>${code}</Code>`))
    if (played !== undefined) return refuse(played, 'Played')
    const fault = signatureFault(request, body, s3Keys)
    if (fault) return refuse(403, fault)
    if (!pathname.startsWith(`/${bucket}`)) return refuse(404, 'NoSuchBucket')
    const id = query.get('uploadId')
    const upload = id === null ? undefined : uploads.get(id)
    if (id !== null && upload === undefined) return refuse(404, 'NoSuchUpload')

    if (method === 'PUT' && upload) {
      upload.parts.set(Number(query.get('partNumber')), body)
      return send(200, '', { etag: etagOf(body) })
    }
    if (method === 'PUT') {
      const source = request.headers['x-amz-copy-source']
      const from =
        source === undefined ? undefined : decodeURIComponent(String(source)).slice(bucket.length + 1)
      const copied = from === undefined ? { body } : objects.get(from)
      if (!copied) return refuse(404, 'NoSuchKey')
      objects.set(key, { body: copied.body, modified: new Date() })
      const etag = etagOf(copied.body)
      return send(200, from === undefined ? '' : xml('CopyObjectResult', `<ETag>${etag}</ETag>`), { etag })
    }
    if (method === 'POST' && query.has('uploads')) {
      const made = randomUUID()
      uploads.set(made, { key, begun: new Date(), parts: new Map() })
      return send(200, xml('InitiateMultipartUploadResult', `<UploadId>${made}</UploadId>`))
    }
    if (method === 'POST' && upload && id !== null) {
      const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, part]) => part)
      const whole = Buffer.concat(parts)
      objects.set(key, { body: whole, modified: new Date() })
      uploads.delete(id)
      return send(200, xml('CompleteMultipartUploadResult', `<ETag>${etagOf(whole)}</ETag>`))
    }
    if (method === 'DELETE') {
      if (id === null) objects.delete(key)
      else uploads.delete(id)
      return send(204)
    }
    if (method === 'GET' && key === '' && query.has('uploads')) return send(200, listOfUploads())
    if (method === 'GET' && key === '') return send(200, listOfObjects(query))
    const found = objects.get(key)
    if (!found) return refuse(404, 'NoSuchKey')
    const headers = { etag: etagOf(found.body), 'last-modified': found.modified.toUTCString() }
    if (method === 'HEAD') return send(200, '', { ...headers, 'content-length': found.body.length })
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    if (!range) return send(200, found.body, headers)
    return send(206, found.body.subarray(Number(range[1]), Number(range[2]) + 1), headers)
  }

  function listOfObjects(query: URLSearchParams) {
    const after = query.get('continuation-token') ?? ''
    const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    const page = keys.sort().slice(0, 2)
    const contents = page.map((key) => {
      const { body, modified } = objects.get(key) as Kept
      return `<Contents><Key>${escaped(key)}</Key><LastModified>${modified.toISOString()}</LastModified><Size>${body.length}</Size></Contents>`
    })
    const more = keys.length > page.length
    const next = more ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>` : ''
    return xml('ListBucketResult', `<IsTruncated>${more}</IsTruncated>${next}${contents.join('')}`)
  }

  function listOfUploads() {
    const listed = [...uploads].map(
      ([id, { key, begun }]) =>
        `<Upload><Key>${escaped(key)}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`
    )
    return xml('ListMultipartUploadsResult', `<IsTruncated>false</IsTruncated>${listed.join('')}`)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  t.teardown(close)
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    objects,
    uploads,
    endpoint,
    close,
    /** What happens to requests from now on. */
    play: (by: Play) => {
      play = by
    },
    /** Variables of a platform that keeps its objects here. */
    env: {
      STORAGE_DRIVER: 's3',
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint,
      S3_REGION: 'eu-test-1',
      S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
      S3_FORCE_PATH_STYLE: 'true'
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
