import { createHash } from 'node:crypto'
import type { Returned } from './services/granting.ts'

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 1.25rem;color:#1b1d22;background:#fff}' +
  'h1{font-size:1.4rem}p{margin:.75rem 0}' +
  '@media (prefers-color-scheme:dark){body{color:#e8e9ec;background:#16181c}}'
const digest = createHash('sha256').update(style).digest('base64')

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
} as const

const escaped = (text: string): string => text.replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`)

/** `way`: where to go on. */
const page = (title: string, lines: readonly string[], way?: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${style}</style><main><h1>${escaped(title)}</h1>${lines.map((line) => `<p>${escaped(line)}</p>`).join('')}${way === undefined ? '' : `<p><a href="${escaped(way)}">Go on to ${escaped(URL.parse(way)?.host ?? 'where you came from')}</a></p>`}</main></html>`

/** How it went, in plain words, and for whom: who was sent here by somebody else is to notice. */
export function pageOf({ provider, connection, error, owner }: Returned, way?: string): string {
  const { name } = provider
  if (!connection)
    return page(`${name} was not connected`, [error?.message ?? '', 'You may close this page.'])
  const account = connection.account === null ? '' : ` as ${connection.account}`
  const lines = [
    `The agents of ${owner} may now act at ${name}${account}, within what you allowed.`,
    `If you are not ${owner}, somebody else asked you for this: take it back in the settings of ${name}.`,
    ...(way === undefined ? ['You may close this page.'] : [])
  ]
  return page(`${name} is connected`, lines, way)
}

/** For a state that is none. */
export const faultPage = (message: string): string =>
  page('This did not work', [message, 'You may close this page.'])
