import { baseUrl } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

/** Where people come back to, also behind a proxy with a path of its own. */
export const returnUrl = `${new URL(document.baseURI).pathname}billing`

/** To the page where it is paid; false where that is this one, or nothing is left to pay. */
export function leave(url: Schemas['Checkout']['url']): boolean {
  const to = url === null ? null : URL.parse(url)
  if (!to || !/^https?:$/.test(to.protocol) || to.pathname.endsWith('/console/billing')) return false
  if (to.origin === new URL(baseUrl).origin) return false
  window.location.assign(to.href)
  return true
}
