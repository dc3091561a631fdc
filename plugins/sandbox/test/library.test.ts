import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import t from 'tap'
import { readLibrary } from '../library.ts'
import { outcome, sandbox } from './testbed.ts'

// The standard library of programs beside Node's own: the same expressions give the same.

t.test('it is what its sources make', async (t) => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../guest/library.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'esnext',
    platform: 'neutral',
    tsconfigRaw: '{}',
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url))
  })
  const text = outputFiles[0]?.text ?? ''
  if (process.env.UPDATE) await writeFile(new URL('../guest/library.generated.js', import.meta.url), text)
  t.equal(await readLibrary(), text, 'else write it with UPDATE=1')
})

const shared = sandbox(t)

const parts = `(url) => [url.href, url.origin, url.protocol, url.username, url.password, url.host, url.hostname, url.port, url.pathname, url.search, url.hash]`
const URLS = [
  ...[
    'https://example.com',
    'HTTPS://Ada:se%20cret@EXAMPLE.com:443/a/./b/../c%20d e?q=1 2&r=ü#x y',
    'http://127.0.0.1:8080/'
  ],
  ...[
    'http://[::1]:3000/x',
    'https:/example.com\\\\a\\\\b',
    '  https://example.com/a\\nb  ',
    'https://example.com/%2e%2E/a/%2e',
    'https://example.com?x'
  ],
  ...[
    'mailto:ada@example.com',
    'data:text/plain,hi',
    'file:///etc/passwd',
    'https://example.com/a//b///',
    'https://example.com:0080/'
  ],
  ...[
    'https://',
    'no url',
    '//example.com',
    'https://exa mple.com',
    'https://example.com:99999',
    'https://a@b@c/',
    '',
    'http://a:b:c/'
  ]
]
const REFERENCES = [
  'a',
  '/a',
  './a',
  '../a',
  '?q',
  '#h',
  '',
  '//other.example/x',
  'http://x.example',
  '../../../a/..',
  'a/b/?c#d',
  '.',
  '..'
]
const expressions = [
  ...URLS.map(
    (url) => `(() => { try { return (${parts})(new URL('${url}')) } catch (error) { return error.name } })()`
  ),
  ...REFERENCES.map((url) => `(${parts})(new URL('${url}', 'https://example.com/x/y/z?old#old'))`),
  `(() => { const u = new URL('https://e.com/?a=1'); u.searchParams.append('b', 'x y&ü'); u.searchParams.delete('a'); u.hash = 'h'; u.pathname = 'p q'; return u.href })()`,
  `(() => { const u = new URL('https://e.com/?a=1'); const p = u.searchParams; u.search = '?z=9'; return [u.href, p.get('z')] })()`,
  `[URL.canParse('x:y'), URL.canParse('x'), JSON.stringify(new URL('https://e.com'))]`,
  `(() => { const p = new URLSearchParams('?a=1&a=2&b=%C3%BC+x&c&=d&%zz=%'); p.set('a', '3'); p.append('!\\'()~*', '\\u{1f98a}'); p.sort(); return [String(p), p.getAll('a'), [...p], p.size, p.has('a', '3')] })()`,
  `[String(new URLSearchParams({ a: '1', b: 'ä' })), String(new URLSearchParams([['a', 'b c']]))]`,
  `['', 'a', 'ab', 'abc', '\\xff\\xfe\\0'].map((it) => [btoa(it), atob(btoa(it))])`,
  `['YQ', 'YWI=', ' Y W I = ', 'YWJj'].map(atob)`,
  `['YQ=', 'Y', 'Y===', '*'].map((it) => { try { return atob(it) } catch { return 'refused' } })`,
  `['', 'aü€🦊', '\\ud800x', 'x'.repeat(20000)].map((it) => [...new TextEncoder().encode(it)].join())`,
  `[[0x61, 0xc3, 0xbc], [0xf0, 0x9f, 0xa6, 0x8a], [0xff, 0x61], [0xc3], [0xe2, 0x82], [0xe2, 0x82, 0x61], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xef, 0xbb, 0xbf, 0x61], [0xf0, 0x80, 0x80, 0x80]].map((it) => new TextDecoder().decode(new Uint8Array(it)))`,
  `(() => { try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff])) } catch (error) { return error.name } })()`,
  `(() => { const a = { d: new Date(0), m: new Map([[{ k: 1 }, new Set([1])]]), r: /x/gi, u: new Uint8Array([1, 2]), e: new RangeError('r') }; a.self = a; const b = structuredClone(a); return [b !== a, b.self === b, b.d.getTime(), [...b.m.keys()][0], String(b.r), [...b.u], b.e.name, b.e.message] })()`,
  `(() => { try { structuredClone(() => 0) } catch { return 'refused' } })()`,
  `(() => { const h = new Headers({ 'Content-Type': 'a' }); h.append('X', '1'); h.append('x', ' 2 '); h.append('Set-Cookie', 'a=1'); h.append('set-cookie', 'b=2'); return [[...h], h.get('X'), h.has('y'), h.getSetCookie()] })()`,
  `(() => { try { new Headers({ 'a b': 'c' }) } catch (error) { return error.name } })()`,
  `(async () => { const r = Response.json({ a: [1] }, { status: 201 }); const c = r.clone(); return [r.status, r.ok, r.headers.get('content-type'), await r.json(), await c.text(), r.bodyUsed] })()`,
  `(async () => { const r = new Request('https://e.com/x', { method: 'post', body: 'ü' }); return [r.method, r.url, r.headers.get('content-type'), [...new Uint8Array(await r.arrayBuffer())]] })()`,
  `(() => { const c = new AbortController(); let n = 0; c.signal.addEventListener('abort', () => n++, { once: true }); c.abort(); c.abort(); return [n, c.signal.aborted, c.signal.reason.name] })()`,
  `[AbortSignal.any([AbortSignal.abort('x')]).reason, new AbortController().signal.aborted]`,
  `(async () => { const order = []; setTimeout(() => order.push('late'), 20); setTimeout((x) => order.push(x), 1, 'soon'); queueMicrotask(() => order.push('first')); const i = setInterval(() => { order.push('tick'); clearInterval(i) }, 2); clearTimeout(setTimeout(() => order.push('never'), 1)); await new Promise((resolve) => setTimeout(resolve, 60)); return [order[0], order.at(-1), order.length] })()`,
  ...['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'].flatMap((hash) => [
    `(async () => [...new Uint8Array(await crypto.subtle.digest('${hash}', new TextEncoder().encode('abc')))])()`,
    `(async () => { const key = await crypto.subtle.importKey('raw', new Uint8Array([1, 2, 3]), { name: 'HMAC', hash: '${hash}' }, false, ['sign', 'verify']); const data = new TextEncoder().encode('abc'); const made = new Uint8Array(await crypto.subtle.sign('HMAC', key, data)); return [[...made], await crypto.subtle.verify('HMAC', key, made, data), await crypto.subtle.verify('HMAC', key, made, new Uint8Array(1))] })()`
  ])
]

t.test('what is of the Web is as it is there', async (t) => {
  const { go } = await shared
  const here = (text: string) => Function(`return (async () => await (${text}))()`)()
  for (const text of expressions) {
    const expected = JSON.parse(JSON.stringify((await here(text)) ?? null))
    t.same(outcome(await go(`return await (${text})`)), expected, text.slice(0, 120))
  }
})

t.test('random values are of the kind that they say, and no two alike', async (t) => {
  const { go } = await shared
  const body = `
    const ids = Array.from({ length: 500 }, () => crypto.randomUUID())
    const bytes = crypto.getRandomValues(new Uint8Array(65_536))
    return { ids, kinds: new Set(bytes).size, words: [...crypto.getRandomValues(new Uint32Array(4))] }`
  const { ids, kinds, words } = outcome(await go(body)) as { ids: string[]; kinds: number; words: number[] }
  t.equal(new Set(ids).size, 500)
  t.ok(ids.every((id) => /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id)))
  t.equal(kinds, 256)
  t.equal(new Set(words).size, 4)
})

t.test('fetch asks the host, and gives a response', async (t) => {
  const { go } = await shared
  const asked: unknown[] = []
  const host = async (method: string, params: unknown) => {
    asked.push([method, params])
    const body =
      (params as { method: string }).method === 'GET' ? { base64: btoa('{"a":1}') } : { text: 'done' }
    return {
      data: { status: 203, statusText: 'Told', url: 'https://e.com/end', headers: [['x-a', '1']], body }
    }
  }
  const body = `
    const one = await context.fetch('https://e.com/?q=ü', { connection: 'key' })
    const two = await context.fetch(new URL('https://e.com/x'), { method: 'POST', body: new Uint8Array([1, 2]), headers: { a: 'b' } })
    const gone = AbortSignal.abort(new Error('left'))
    const three = await context.fetch('https://e.com', { signal: gone }).catch(({ message }) => message)
    let four
    try { fetch('https://e.com') } catch (error) { four = error.message }
    return [one.status, one.statusText, one.url, one.ok, one.headers.get('x-a'), await one.json(), await two.text(), three, four]`
  t.match(outcome(await go(body, { host })), [
    ...[203, 'Told', 'https://e.com/end', true, '1', { a: 1 }, 'done', 'left', /context/]
  ])
  t.same(asked, [
    [
      'fetch',
      { url: 'https://e.com/?q=%C3%BC', method: 'GET', redirect: 'follow', headers: [], connection: 'key' }
    ],
    [
      'fetch',
      {
        url: 'https://e.com/x',
        method: 'POST',
        redirect: 'follow',
        headers: [['a', 'b']],
        body: { base64: 'AQI=' }
      }
    ]
  ])
})
