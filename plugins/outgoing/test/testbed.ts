import { isIP } from 'node:net'
import { parseAllowed } from '../allowed.ts'
import { createAgent } from '../connections.ts'
import { createGuard } from '../guard.ts'
import { createOutgoingService } from '../service.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

interface Options {
  readonly allow?: string
  /** What each name resolves to, one list a time; the last one stays. */
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>
  readonly connectTimeout?: number
  readonly connections?: number
}

/** The service with a name server of its own; `asked` are the names that were resolved. */
export function outgoing(t: Scope, { allow = '', names = {}, ...limits }: Options = {}) {
  const asked: string[] = []
  const resolve = async (host: string) => {
    const lists = names[host] ?? []
    const list = lists[Math.min(asked.filter((it) => it === host).length, lists.length - 1)] ?? []
    asked.push(host)
    if (list.length === 0) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    return list.map((address) => ({ address, family: isIP(address.replace(/%.*/, '')) }))
  }
  const guard = createGuard(parseAllowed(allow, true), resolve)
  const dispatcher = createAgent(guard, { connectTimeout: 5_000, connections: 16, ...limits })
  t.teardown(() => dispatcher.destroy())
  const service = createOutgoingService({ outgoingConnections: { guard, dispatcher } })
  return { ...service, dispatcher, asked }
}

/** `http://` in every spelling of an address that must not be reached; with `port` where one fits. */
export const spellings = [
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '127.255.255.254',
  '１２７。０。０。１',
  '%31%32%37.0.0.1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'any.localhost',
  '0',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001::1]',
  '[2001:db8::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]'
] as const
