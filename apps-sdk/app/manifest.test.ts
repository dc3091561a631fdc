import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { defaultLimits, effectiveLimits, packageLimits } from './src/limits/limits.ts'
import { checkFiles, checkManifest, hostProblem, isHostWithin, Manifest } from './src/manifest/manifest.ts'
import { sound } from './testbed.ts'

t.test('a sound manifest has no problems, with the least in it as well', async (t) => {
  t.same(checkManifest(sound), [])
  const { icon, server, storage, limits, ...least } = sound
  const empty = { capabilities: [], egress: [], connections: [], functions: [], pages: [] }
  t.same(checkManifest({ ...least, ...empty }), [])
})

t.test('what does not fit is told with its place, in plain words', async (t) => {
  const [fn] = sound.functions
  const cases: readonly [object, string, RegExp][] = [
    [{ id: 'No Id' }, '/id', /small letters/],
    [{ id: 'ab' }, '/id', /3 to 48/],
    [{ version: '1.4' }, '/version', /such as 1\.4\.0/],
    [{ version: '01.4.0' }, '/version', /semver/],
    [{ name: ' Weather' }, '/name', /call the app/],
    [{ manifestVersion: 2 }, '/manifestVersion', /The number 1/],
    [{ pages: undefined }, '/pages', /missing/],
    [{ unheard: 1 }, '/unheard', /nothing that a manifest has/],
    [{ capabilities: [{ name: 'agents.read' }] }, '/capabilities/0/reason', /missing/],
    [{ capabilities: [...sound.capabilities, ...sound.capabilities] }, '/capabilities/2/name', /already/],
    [{ egress: [{ host: '*', reason: 'All' }] }, '/egress/0/host', /every host/],
    [
      { connections: [{ ...sound.connections[0], hosts: ['evil.example'] }] },
      '/connections/0/hosts/0',
      /egress/
    ],
    [
      { connections: [{ ...sound.connections[0], auth: { type: 'header' } }] },
      '/connections/0/auth/name',
      /missing/
    ],
    [
      { connections: [{ ...sound.connections[0], oauth: { provider: 'sky' } }] },
      '/connections/0/oauth/scopes',
      /missing/
    ],
    [
      { connections: [{ ...sound.connections[0], oauth: { provider: 'sky', scopes: ['a b'] } }] },
      '/connections/0/oauth/scopes/0',
      /words of the provider|x21|pattern/
    ],
    [{ functions: [fn, fn] }, '/functions/1/name', /forecast, which is there already/],
    [{ functions: [{ ...fn, name: '__proto__' }] }, '/functions/0/name', /beginning with a small letter/],
    [{ functions: [{ ...fn, input: { type: 'string' } }] }, '/functions/0/input', /object/],
    [{ functions: [{ ...fn, output: {} }] }, '/functions/0/output', /no JSON Schema/],
    [{ functions: [{ ...fn, page: 'other' }] }, '/functions/0/page', /none of the pages/],
    [{ server: undefined }, '/server', /missing/],
    [{ pages: [{ ...sound.pages[0], entry: '../main.html' }] }, '/pages/0/entry', /HTML file/],
    [{ pages: [{ ...sound.pages[0], entry: 'main.js' }] }, '/pages/0/entry', /no HTML/],
    [{ limits: { cpuMs: 500, wallMs: 200 } }, '/limits/cpuMs', /more than wallMs/],
    [{ limits: { memoryMb: 100_000 } }, '/limits/memoryMb', /512/],
    [
      { storage: { collections: [{ name: 'places', scope: 'all' }] } },
      '/storage/collections/0/scope',
      /user/
    ],
    [{ description: 'x'.repeat(2_001) }, '/description', /2000/]
  ]
  for (const [change, pointer, message] of cases) {
    const value = JSON.parse(JSON.stringify({ ...sound, ...change }))
    t.match(checkManifest(value), [{ pointer, message }], JSON.stringify(change).slice(0, 80))
  }
  const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)
  t.match(checkManifest({ ...sound, functions: [{ ...fn, input: { type: 'object', deep } }] }), [
    { pointer: '', message: /64 levels/ }
  ])
  for (const value of [null, 'text', [], 1]) t.match(checkManifest(value), [{ pointer: '' }])
  const large = { ...sound, functions: [{ ...fn, input: { type: 'object', title: 'x'.repeat(300_000) } }] }
  t.match(checkManifest(large), [{ pointer: '', message: /262144/ }])
})

t.test('texts show all that is in them, and nothing that changes how they are read', async (t) => {
  for (const unseen of [
    '\u0000',
    '\u001b[2K',
    '\u202e',
    '\u2066',
    '\u200b',
    '\ufeff',
    '\u2028',
    '\ud800',
    '\u{e0041}'
  ]) {
    const text = `Reads${unseen}nothing`
    for (const [pointer, fields] of [
      ['/name', { name: text }],
      ['/description', { description: text }],
      ['/capabilities/0/reason', { capabilities: [{ name: 'agents.read', reason: text }] }],
      ['/pages/0/title', { pages: [{ name: 'main', title: text, entry: 'pages/main.html' }] }],
      [
        '/functions/0/description',
        { functions: [{ name: 'f', description: text, input: { type: 'object' } }] }
      ]
    ] as const)
      t.match(
        checkManifest({ ...sound, ...fields }),
        [{ pointer }],
        `${pointer} ${unseen.codePointAt(0)?.toString(16)}`
      )
  }
  const description = 'Zwei Zeilen:\n\tüber 天気 🌦️ و هوا می\u200cشود'
  t.same(checkManifest({ ...sound, name: 'Wetter 🌦️', description }), [])
  for (const id of ['layout', 'capabilities'])
    t.match(checkManifest({ ...sound, id }), [{ pointer: '/id' }], 'addresses have another meaning for it')
})

t.test('hosts are names, never addresses', async (t) => {
  for (const host of ['api.example.com', '*.example.com', 'api.example.com:8443', 'xn--bcher-kva.example'])
    t.equal(hostProblem(host), undefined, host)
  const wrong = [
    '*',
    '*.',
    '*.com',
    'com',
    'localhost',
    '127.0.0.1',
    '[::1]',
    '::1',
    '2130706433',
    '0x7f.0x1'
  ]
  const worse = [
    'a.b.*.com',
    'a*.example.com',
    'API.example.com',
    'https://a.example',
    'a.example/x',
    'u@a.example'
  ]
  const worst = [
    'a.example:0',
    'a.example:70000',
    'a.example:',
    'a..example',
    '-a.example',
    'a_b.example',
    ''
  ]
  for (const host of [...wrong, ...worse, ...worst, `${'a'.repeat(64)}.example`, '1.0x7f', 'a.example.'])
    t.type(hostProblem(host), 'string', host)
  const within: readonly [string, string, boolean][] = [
    ['api.example.com', 'api.example.com', true],
    ['api.example.com', '*.example.com', true],
    ['a.b.example.com', '*.example.com', true],
    ['*.b.example.com', '*.example.com', true],
    ['*.example.com', '*.example.com', true],
    ['example.com', '*.example.com', false],
    ['evilexample.com', '*.example.com', false],
    ['*.example.com', 'api.example.com', false],
    ['*.com.example', '*.example.com', false],
    ['api.example.com:8443', 'api.example.com', false],
    ['api.example.com:443', 'api.example.com', true]
  ]
  for (const [inner, outer, is] of within) t.equal(isHostWithin(inner, outer), is, `${inner} in ${outer}`)
})

t.test('what the manifest names has to be among the files, and not too large', async (t) => {
  const sizes = new Map([
    ['server.js', 100],
    ['icon.png', 100],
    ['pages/main.html', 100]
  ])
  t.same(checkFiles(sound, sizes), [])
  t.match(checkFiles(sound, new Map()), [
    { pointer: '/manifest/server/entry', message: /server\.js, which is not among/ },
    { pointer: '/manifest/icon' },
    { pointer: '/manifest/pages/0/entry' }
  ])
  const large = new Map([...sizes, ['pages/main.html', packageLimits.pageBytes + 1]] as const)
  t.match(checkFiles(sound, large), [{ pointer: '/files/pages~1main.html', message: /larger/ }])
  const whole = new Map([...sizes, ['data.bin', packageLimits.bytes]] as const)
  t.match(checkFiles(sound, whole), [{ pointer: '/files', message: /larger/ }])
  const many = new Map([...sizes, ...Array.from({ length: 200 }, (_, n) => [`${n}.txt`, 1] as const)])
  t.match(checkFiles(sound, many), [{ pointer: '/files', message: /200 files/ }])
})

t.test('an app asks for less than it may have, never for more', async (t) => {
  t.same(effectiveLimits(undefined, defaultLimits), defaultLimits)
  const asked = { cpuMs: 50, wallMs: 300_000 }
  t.same(effectiveLimits(asked, defaultLimits), { ...defaultLimits, cpuMs: 50 })
})

t.test('the schema is published as JSON, too', async (t) => {
  const file = join(import.meta.dirname, 'manifest.schema.json')
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  const text = `${JSON.stringify({ $schema, ...Manifest }, null, 2)}\n`
  if (process.env.UPDATE) await writeFile(file, text)
  t.equal(await readFile(file, 'utf8'), text, 'else write it with UPDATE=1')
})
