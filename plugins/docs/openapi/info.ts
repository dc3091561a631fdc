import type { Json } from './route.ts'

const description = `Create and run autonomous software agents over HTTP and JSON.

## Credentials
Send \`Authorization: Bearer <key>\`. A resource of someone else answers 403, one that does not exist 404.

## Errors
Every failure has the same form: \`error.type\` says what went wrong, \`error.code\` tells causes of one type apart, \`error.param\` names the part of the request, and \`error.requestId\` is what to quote to an operator. Beside what each operation lists, 414 and 431 answer a URL or headers that are too long.

## Requests
Unknown fields of a body and unknown names of a query are refused with 400 rather than ignored. Replies may gain fields at any time.

## Lists
Newest first, \`limit\` things a page; \`nextCursor\` is the \`cursor\` of the next page, and null on the last one.

## Concurrent edits
What can be edited carries \`version\`, and its reply an \`ETag\`. Send that back in \`If-Match\` to get 412 when another edit was faster.

## Repeating a request
A POST with an \`Idempotency-Key\` can be sent again safely: the same key and body get the first reply again.

## Streams
Server-Sent Events, each with \`type\` and a \`seq\` that counts from 0 without gaps. Resume with \`after\`, the \`seq\` of the last event you have.`

export const infoOf = (version: string): Json => ({
  title: 'Agent Platform API',
  version,
  description,
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' }
})
