import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { failureTypes, isFailure } from '../contract/errors.ts'

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 1.25rem;color:#1b1d22;background:#fff}' +
  'h1{font-size:1.4rem}p{margin:.75rem 0}' +
  '@media (prefers-color-scheme:dark){body{color:#e8e9ec;background:#16181c}}'
const digest = createHash('sha256').update(style).digest('base64')

/** Headers of a notice page: no script, no frame, nothing from another address, no referrer with a secret in it. */
export const noticeHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
} as const

const escaped = (text: string): string => text.replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`)

/** A page for a person whom another server sends back: a title, paragraphs, and optionally the URL to continue at. */
export function noticePage(title: string, lines: readonly string[], next?: string): string {
  const paragraphs = lines.map((line) => `<p>${escaped(line)}</p>`).join('')
  const host = escaped((next && URL.parse(next)?.host) || 'where you came from')
  const link = next === undefined ? '' : `<p><a href="${escaped(next)}">Continue to ${host}</a></p>`
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${style}</style><main><h1>${escaped(title)}</h1>${paragraphs}${link}</main></html>`
}

/**
 * A failure as a page if a person asked for HTML. Returns undefined for clients that did not, and for failures without a
 * public message: rethrow those.
 */
export function noticeOfFailure(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  error: unknown
): FastifyReply | undefined {
  if (!isFailure(error) || !/text\/html/.test(headers.accept ?? '')) return undefined
  return reply
    .code(failureTypes[error.kind].status)
    .headers(noticeHeaders)
    .serializer((text: unknown) => String(text))
    .send(noticePage('This did not work', [error.message, 'You may close this page.']))
}
