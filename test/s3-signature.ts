import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

interface Keys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

/** What is wrong with the AWS Signature Version 4 of a request; undefined where it holds. */
export function signatureFault(request: IncomingMessage, body: Buffer, keys: Keys): string | undefined {
  const { authorization = '', 'x-amz-date': date = '', 'x-amz-content-sha256': digest = '' } = request.headers
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization
    )
  if (!parts) return 'AccessDenied'
  const [, id, day = '', region = '', signed = '', signature = ''] = parts
  if (id !== keys.accessKeyId) return 'InvalidAccessKeyId'
  if (Math.abs(Date.now() - parseDate(String(date))) > 900_000) return 'RequestTimeTooSkewed'
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => signed.split(';').includes(name)))
    return 'SignatureDoesNotMatch'
  if (digest !== 'UNSIGNED-PAYLOAD' && digest !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const canonical = [
    request.method,
    path,
    sortedQuery(query),
    ...signed
      .split(';')
      .map((name) => `${name}:${[request.headers[name]].flat().join(',').trim().replaceAll(/ +/g, ' ')}`),
    '',
    signed,
    digest
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const key = ['s3', 'aws4_request'].reduce<Buffer>(
    (key, text) => hmac(key, text),
    hmac(hmac(`AWS4${keys.secretAccessKey}`, day), region)
  )
  const expected = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n'))
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch'
}

const sortedQuery = (query: string) =>
  query
    .split('&')
    .filter(Boolean)
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort((a, b) => (a < b ? -1 : 1))
    .join('&')

/** `20260102T030405Z` */
const parseDate = (text: string) =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'))
