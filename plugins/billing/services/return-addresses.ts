import { invalid } from 'agent-platform'

/** Checks where people want to come back to, and gives an address for it: the console's page where none is given. */
export function returnAddresses(baseUrl: string, listed: string) {
  const allowed = new Set([new URL(baseUrl).origin, ...listed.split(',').flatMap(originOf)])
  return (given?: string): string => {
    if (given === undefined) return `${baseUrl}/console/billing`
    // A path that begins with two slashes is another host.
    const isPath = /^\/(?![/\\])/.test(given)
    const url = URL.parse(given, isPath ? baseUrl : undefined)
    const isFine = url && /^https?:$/.test(url.protocol) && !url.username && !url.password
    if (!isFine) throw invalid('/returnUrl', '/returnUrl must be a path, or an http or https address')
    if (!allowed.has(url.origin))
      throw invalid('/returnUrl', `${url.origin} is no allowed origin: add it to BILLING_RETURN_URLS`)
    return url.href
  }
}

function originOf(text: string): string[] {
  const address = text.trim()
  if (address === '') return []
  const url = URL.parse(address)
  if (url && /^https?:$/.test(url.protocol)) return [url.origin]
  throw new Error(`BILLING_RETURN_URLS: ${JSON.stringify(address)} is no http or https origin`)
}
