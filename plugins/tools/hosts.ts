/** A host as keys name it: port 443 goes without saying, every other one is part of it. */
const nameOf = ({ hostname, port }: URL, standard: string): string => {
  const number = port || standard
  return hostname.replace(/\.$/, '') + (number === '443' ? '' : `:${number}`)
}

/** Where a request to that address goes. A name without a port is https, so that no secret leaves in the clear by it. */
export const hostOf = (url: URL): string => nameOf(url, url.protocol === 'http:' ? '80' : '443')

/** `host` or `host:port` as it is compared: lower case, punycode, one spelling of an address; undefined for all else. */
export function parseHost(text: string): string | undefined {
  const address = `https://${text}`
  if (!/^(?:\[[\d.:a-f]+\]|[^\s:[\]/\\?#@*%,;'"]+)(?::\d{1,5})?$/i.test(text) || !URL.canParse(address))
    return undefined
  const url = new URL(address)
  // A dot at the end is left out, nothing before it is nobody.
  return /^\.|\.\.$|^$/.test(url.hostname) ? undefined : nameOf(url, '443')
}
