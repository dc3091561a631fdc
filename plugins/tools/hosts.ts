/** Where a request to that address goes. A name without a port is https, so that no secret leaves in the clear by it. */
export const hostOf = ({ protocol, hostname, port }: URL): string => {
  const number = port || (protocol === 'http:' ? '80' : '443')
  return hostname.replace(/\.$/, '') + (number === '443' && protocol === 'https:' ? '' : `:${number}`)
}

/** Whether it is that host, or below it where `*.` says so. */
export const isWithin = (host: string, permitted: string): boolean =>
  permitted.startsWith('*.') ? host.endsWith(permitted.slice(1)) : host === permitted

/** `host` or `host:port` as it is compared: lower case, punycode, one spelling of an address; undefined for all else. */
export function parseHost(text: string): string | undefined {
  const address = `https://${text}`
  if (!/^(?:\[[\d.:a-f]+\]|[^\s:[\]/\\?#@*%,;'"]+)(?::\d{1,5})?$/i.test(text) || !URL.canParse(address))
    return undefined
  const url = new URL(address)
  // A dot at the end is left out; nothing before it is no host.
  return /^\.|\.\.$|^$/.test(url.hostname) ? undefined : hostOf(url)
}
