import t from 'tap'
import { hostOf, isPublic, knownAddresses, parseAddress, portOf } from '../addresses.ts'

t.test('only unicast addresses of the internet are public', (t) => {
  const open = ['1.1.1.1', '93.184.216.34', '172.15.0.1', '172.32.0.1', '100.63.0.1', '2606:4700:4700::1111']
  for (const address of [...open, '::ffff:1.1.1.1', '64:ff9b::1.1.1.1']) t.ok(isPublic(address), address)

  const closed = {
    loopback: [
      '127.0.0.1',
      '127.8.8.8',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '::7f00:1'
    ],
    unspecified: ['0.0.0.0', '0.1.2.3', '::', '::ffff:0.0.0.0'],
    private: ['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fdff::1', 'fec0::1'],
    metadata: ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
    link: ['169.254.0.1', 'fe80::1', 'fe80::1%lo', 'fe80::1%eth0', '2606:4700:4700::1111%lo'],
    shared: ['100.64.0.1', '100.127.255.255'],
    multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1', 'ff0e::1'],
    reserved: [
      '192.0.2.1',
      '198.51.100.1',
      '203.0.113.1',
      '240.0.0.1',
      '255.255.255.255',
      '2001:db8::1',
      '3fff::1'
    ],
    benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
    tunnels: ['2002:7f00:1::', '2002:101:101::', '2001::1', '192.88.99.1', '::ffff:0:1.1.1.1'],
    translated: ['64:ff9b::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1.1.1.1'],
    nobodys: ['::1.1.1.1', '100::1', '4000::1', '5f00::1', '8000::1', 'f000::1'],
    nonsense: ['', 'localhost', '1.1.1', '0x1.1.1.1', '01.1.1.1', '16843009', '1.1.1.1.', '[::1]', '1.1.1.1 ']
  }
  for (const [kind, addresses] of Object.entries(closed))
    for (const address of addresses) t.notOk(isPublic(address), `${kind}: ${address}`)
  t.end()
})

t.test('IPv4 in the coat of IPv6 is IPv4', (t) => {
  t.equal(String(parseAddress('::ffff:10.0.0.1')), '10.0.0.1')
  t.equal(String(parseAddress('::1')), '::1')
  t.end()
})

t.test('a host is compared without brackets and the last dot', (t) => {
  const url = new URL('https://[::1]')
  t.equal(hostOf(url), '::1')
  t.equal(portOf(url), 443)
  t.equal(hostOf(new URL('http://Example.COM.:8080')), 'example.com')
  t.equal(portOf(new URL('http://example.com')), 80)
  t.equal(portOf(new URL('http://example.com:8080')), 8080)
  t.same(knownAddresses('a.localhost'), ['127.0.0.1', '::1'])
  t.equal(knownAddresses('notlocalhost'), undefined)
  t.equal(knownAddresses('localhost.example.com'), undefined)
  t.end()
})
