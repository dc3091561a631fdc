import { randomBytes } from 'node:crypto'
import type { Kernel } from 'agent-platform'
import { htmlOf } from './html.ts'
import { readScript } from './script.ts'

export type ApiPage = ReturnType<typeof createApiPage>

/** The page on which people read and try the API. All of it comes from this server. */
export function createApiPage({ shared }: Pick<Kernel, 'shared'>) {
  const script = () => shared('script/1', readScript, async () => {})

  return {
    script,
    /** A page may be used once: its policy lets in only what carries its nonce. */
    async render(): Promise<{ html: string; headers: Record<string, string> }> {
      const { file } = await script()
      const nonce = randomBytes(16).toString('base64url')
      return {
        html: htmlOf({ nonce, script: `/docs/assets/${file}` }),
        headers: {
          'content-security-policy': policyOf(nonce),
          'cache-control': 'no-store',
          'cross-origin-opener-policy': 'same-origin',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff'
        }
      }
    }
  }
}

const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    // The script makes style elements and attributes without a nonce; with nothing to load they can do little.
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join('; ')
