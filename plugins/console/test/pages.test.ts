import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { consoleOf, script } from './testbed.ts'

t.test('the application, its files and nothing else', async (t) => {
  const { anyone, url } = await consoleOf(t, { env: { BASE_URL: 'https://platform.example/team/' } })

  /** As it is sent, without anything that a client would change. */
  const raw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status?: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      const { hostname, port } = new URL(url)
      request({ hostname, port, path, headers, method }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk) => chunks.push(chunk))
        reply.on('end', () =>
          resolve({
            status: reply.statusCode as number,
            headers: reply.headers,
            body: Buffer.concat(chunks)
          })
        )
      })
        .on('error', reject)
        .end()
    })

  t.test('the page is the same at every place, below the path of BASE_URL, and never kept', async (t) => {
    const nonces = new Set<string>()
    for (const path of [
      '/console',
      '/console/',
      '/console/agents/agent_1',
      '/console?tab=runs',
      '/console/a?b=c'
    ]) {
      const { status, text, headers } = await anyone.get(path)
      t.equal(status, 200, path)
      t.match(text, '<base href="/team/console/">')
      t.equal(headers.get('cache-control'), 'no-store')
      t.match(headers.get('content-type'), /^text\/html/)
      const policy = headers.get('content-security-policy') ?? ''
      const [, nonce = ''] = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy) ?? []
      t.match(text, `<style nonce="${nonce}">`)
      t.notMatch(text, '__NONCE__')
      nonces.add(nonce)
    }
    t.equal(nonces.size, 5, 'each has its own')
  })

  t.test('its policy lets in nothing of others, and shows it in no frame', async (t) => {
    const { headers } = await anyone.get('/console', {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example'
    })
    const policy = headers.get('content-security-policy') ?? ''
    t.match(policy, /^default-src 'none'; script-src 'self';/)
    for (const part of [
      "frame-ancestors 'none'",
      "form-action 'none'",
      "object-src 'none'",
      "base-uri 'self'"
    ])
      t.match(policy, part)
    t.notMatch(policy, /unsafe|https?:|\*|evil/)
    t.match(Object.fromEntries(headers), {
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': /camera=\(\)/
    })
  })

  t.test('files never change, and come compressed to callers that take it', async (t) => {
    const path = '/console/assets/index-abc.js'
    const plain = await raw(path)
    t.equal(plain.status, 200)
    t.equal(plain.body.toString(), script)
    t.match(plain.headers, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      'content-length': String(script.length)
    })
    t.notOk(plain.headers['content-encoding'])
    const cases = [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip;q=1.0, br;q=0', 'gzip', gunzipSync],
      ['GZIP', 'gzip', gunzipSync],
      ['*', 'br', brotliDecompressSync]
    ] as const
    for (const [accepted, encoding, unpack] of cases) {
      const { headers, body } = await raw(path, { 'accept-encoding': accepted })
      t.equal(headers['content-encoding'], encoding, accepted)
      t.equal(unpack(body).toString(), script)
    }
    t.notOk((await raw(path, { 'accept-encoding': 'identity, gzip;q=0' })).headers['content-encoding'])
    const head = await raw(path, {}, 'HEAD')
    t.equal(head.status, 200)
    t.equal(head.body.length, 0)
    t.equal(head.headers['content-length'], String(script.length))
    t.match((await raw('/console/assets/logo-abc.svg')).headers, { 'content-type': 'image/svg+xml' })
  })

  t.test('what the build has not made is not there, by whatever name', async (t) => {
    for (const name of [
      'index-abc.css',
      'index-abc.js.br',
      '..%2findex.html',
      '../secret.txt',
      '..%2fsecret.txt',
      '%2e%2e%2fsecret.txt',
      '..%5csecret.txt',
      '%00',
      '__proto__',
      'constructor',
      'a/b',
      ''
    ]) {
      const { status, body } = await raw(`/console/assets/${name}`)
      t.equal(status, 404, name)
      t.notMatch(body.toString(), /hush|<html/)
    }
    const { status, body } = await raw('/console/..%2f..%2fsecret.txt')
    t.equal(status, 200, 'a place in the application')
    t.notMatch(body.toString(), /hush/)
  })
})

t.test('without a build it says how to make one', async (t) => {
  const { anyone } = await consoleOf(t, { isBuilt: false })
  for (const path of ['/console', '/console/agents']) {
    const { status, text, headers } = await anyone.get(path)
    t.equal(status, 503)
    t.match(text, 'npm run build:console')
    t.match(headers.get('content-security-policy'), /^default-src 'none'/)
  }
  t.equal((await anyone.get('/console/assets/index-abc.js')).status, 404)
})

t.test('an address that may ask little for free has all of the application', async (t) => {
  const { anyone } = await consoleOf(t, { env: { ANONYMOUS_LIMIT_PER_MINUTE: '5' } })
  const statuses = async (path: string) => {
    const replies = await Promise.all(Array.from({ length: 30 }, () => anyone.get(path)))
    return new Set(replies.map(({ status }) => status))
  }
  t.same(await statuses('/console/assets/index-abc.js'), new Set([200]))
  t.same(await statuses('/console/agents'), new Set([200]))
  t.ok((await statuses('/console/session')).has(429))
})
