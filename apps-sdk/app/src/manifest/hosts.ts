// Hosts as a manifest and grants name them: `api.example.com`, `api.example.com:8443`, `*.example.com`. Without a port
// it is 443, as calls go by https.

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

interface Host {
  /** Of `*.example.com`: `example.com`. */
  readonly name: string
  readonly port: number
  readonly isWildcard: boolean
}

/** What is wrong with a host, in words that go on after it; undefined where nothing is. */
export function hostProblem(text: string): string | undefined {
  if (text === '*' || text === '*.') return 'stands for every host: name those that the app talks to'
  if (text.includes('/') || text.includes('@')) return 'is a host alone, without a scheme, a path or a user'
  const [name = '', port, ...others] = text.split(':')
  if (others.length > 0 || text.includes('[')) return 'is an address: name the host'
  if (port !== undefined && !(/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535))
    return 'has a port that is none'
  const labels = name.replace(/^\*\./, '').split('.')
  if (name !== name.toLowerCase()) return 'is written in small letters'
  if (labels.some((label) => label.includes('*'))) return 'has a * elsewhere than in front'
  if (!labels.every((label) => LABEL.test(label)) || name.length > 253) return 'is no name of a host'
  // Also those that an address can be written as: 2130706433, 0x7f.1
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) as string)) return 'is an address: name the host'
  if (labels.length < 2) return 'is no name of a host on the internet'
  return undefined
}

/** Whether everything that `inner` stands for is among what `outer` stands for. Both are without problems. */
export function isHostWithin(inner: string, outer: string): boolean {
  const [a, b] = [parse(inner), parse(outer)]
  if (a.port !== b.port) return false
  if (!b.isWildcard) return !a.isWildcard && a.name === b.name
  return a.name.endsWith(`.${b.name}`) || (a.isWildcard && a.name === b.name)
}

function parse(text: string): Host {
  const [name = '', port] = text.split(':')
  return { name: name.replace(/^\*\./, ''), port: Number(port ?? 443), isWildcard: name.startsWith('*.') }
}
