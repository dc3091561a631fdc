import { cookieIn } from 'agent-platform'

const SECONDS = 600
const KEPT = /^([a-z0-9-]{1,40})\.([\w-]{10,64})\.([\w-]{43})$/

/** What the browser keeps while it is away: which provider it left for, from which interaction, and the secret of the attempt. */
export function attemptCookie(baseUrl: string) {
  const isSecure = baseUrl.startsWith('https:')
  const name = `${isSecure ? '__Host-' : ''}identity-upstream`
  // Not `Strict`: the provider sends the browser back.
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    of: ({ key, uid, secret }: Readonly<Record<'key' | 'uid' | 'secret', string>>): string =>
      `${name}=${key}.${uid}.${secret}; Max-Age=${SECONDS}; ${attributes}`,
    none: `${name}=; Max-Age=0; ${attributes}`,
    /** Undefined where it stands there twice. */
    read(cookies: string | undefined) {
      const [, key, uid, secret] = KEPT.exec(cookieIn(cookies, name) ?? '') ?? []
      return key && uid && secret ? { key, uid, secret } : undefined
    }
  }
}
