import t from 'tap'
import { boot } from '../boot.ts'
import { inShortTurns } from '../turns.ts'
import { probeFolder } from './probe.ts'
import { refused } from './refused.ts'
import { openWire, requestText } from './wire.ts'

const json = { 'content-type': 'application/json' }

t.test('JSON bodies', async (t) => {
  const { as, url } = await boot(t, { packs: ['probe'], folders: [await probeFolder(t)] })
  const ada = as('ada')
  const post = (body: string | Uint8Array, headers: Record<string, string> = json) =>
    ada.request('POST', '/v1/probe/body', { body, headers })

  await t.test('of the wrong type: nothing is coerced', async (t) => {
    const wrong: [string, string][] = [
      ['{"name":5}', '/name'],
      ['{"name":null}', '/name'],
      ['{"name":["a"]}', '/name'],
      ['{"name":"a","count":"5"}', '/count'],
      ['{"name":"a","count":5.5}', '/count'],
      ['{"name":"a","count":true}', '/count'],
      ['{"name":"a","on":"true"}', '/on'],
      ['{"name":"a","on":1}', '/on'],
      ['{"name":"a","list":"b"}', '/list'],
      ['{"name":"a","list":["b",1]}', '/list/1'],
      ['{"name":"a","inner":{"deep":"1"}}', '/inner/deep'],
      ['{"name":"a","a/b~c":1}', '/a~1b~0c'],
      ['{}', '/name'],
      ['{"name":"a","inner":{}}', '/inner/deep'],
      ['[]', ''],
      ['"a"', ''],
      ['5', ''],
      ['null', ''],
      ['true', '']
    ]
    for (const [body, param] of wrong) refused(t, await post(body), 400, { param }, body)
  })

  await t.test('with names that are not known', async (t) => {
    refused(t, await post('{"name":"a","nmae":1}'), 400, { param: '/nmae', message: /nmae/ })
    refused(t, await post('{"name":"a","inner":{"deep":1,"x/y":2}}'), 400, { param: '/inner/x~1y' })
    refused(t, await post('{"name":"a","toString":1}'), 400, { param: '/toString' })
    refused(t, await post('{"name":"a","constructor":1}'), 400, { param: '/constructor' })
  })

  await t.test('that would pollute a prototype', async (t) => {
    for (const body of [
      '{"name":"a","__proto__":{"admin":true}}',
      '{"name":"a","__pro\\u0074o__":{"admin":true}}',
      '{"name":"a","\\u005f_proto__":1}'
    ])
      refused(t, await post(body), 400, { param: '/__proto__' }, body)
    refused(t, await post('{"name":"a","open":{"x":[{"__proto__":{}}]}}'), 400, {
      param: '/open/x/0/__proto__'
    })
    refused(t, await post('{"name":"a","open":{"constructor":{"prototype":{"admin":true}}}}'), 400, {
      param: '/open/constructor'
    })
    t.match(await post('{"name":"__proto__","open":{"constructor":"Acme"}}'), { status: 200 }, 'as words')
    t.notOk('admin' in {})
  })

  await t.test('that are no JSON, no text, or not what a database can keep', async (t) => {
    for (const body of [
      '{',
      '{"name":"a"',
      "{'name':'a'}",
      '{"name":"a",}',
      '{"name":NaN}',
      'name=a',
      '{"name":"\n"}',
      ' '
    ])
      refused(t, await post(body), 400, { param: '' }, body)
    refused(t, await post(Buffer.from('{"name":"\xff"}', 'latin1')), 400, { param: '', message: /UTF-8/ })
    refused(t, await post(Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1')), 400, { param: '' }, 'CESU-8')
    refused(t, await post('{"name":"a\\u0000b"}'), 400, { param: '/name', message: /NUL/ })
    refused(t, await post('{"name":"a","open":{"b\\u0000":1}}'), 400, {}, 'NUL in a name')
    refused(t, await post('{"name":"\\ud800"}'), 400, { param: '/name', message: /surrogate/ })
    refused(t, await post('{"name":"\\uDC00x"}'), 400, { param: '/name' })
    refused(t, await post('{"name":"a","list":["x","\\udfff"]}'), 400, { param: '/list/1' })
    t.match(await post('{"name":"\\ud83d\\ude00"}'), { status: 200, body: { data: { name: '😀' } } })
    t.match(await post('{"name":"a","open":"\\\\u0000"}'), {
      status: 200,
      body: { data: { open: '\\u0000' } }
    })
  })

  await t.test('of numbers that none can hold', async (t) => {
    refused(t, await post('{"name":"a","count":1e400}'), 400, { param: '/count' })
    refused(t, await post('{"name":"a","ratio":-1e400}'), 400, { param: '/ratio' })
    t.match(await post(`{"name":"a","ratio":0.${'1'.repeat(1_000)}}`), { status: 200 }, 'a long fraction')
  })

  await t.test('nested as deeply as a megabyte allows', async (t) => {
    const nested = (depth: number, inside = '') => `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`
    refused(t, await post(nested(500_000)), 400, { param: '' })
    refused(t, await post(`{"name":"a","open":${nested(400_000)}}`), 400, {}, 'in an open field')
    refused(t, await post(`{"name":"a","open":${nested(100_000, '"\\u0000"')}}`), 400, {}, 'around a NUL')
    refused(
      t,
      await post(`{"name":"a","open":${'{"a":'.repeat(90_000)}1${'}'.repeat(90_000)}}`),
      400,
      {},
      'objects'
    )
    t.match(await post(`{"name":"a","open":${nested(100)}}`), { status: 200 }, 'as people do')
  })

  await t.test('twice the same name: the last counts', async (t) => {
    t.match(await post('{"name":"a","name":"b"}'), { status: 200, body: { data: { name: 'b' } } })
    refused(t, await post('{"name":"a","name":5}'), 400, { param: '/name' })
  })

  await t.test('empty, or of another type', async (t) => {
    refused(t, await post(''), 400, { param: '' }, 'empty')
    refused(t, await ada.request('POST', '/v1/probe/body'), 400, { param: '' }, 'none at all')
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'json',
      'image/png; a="application/json"'
    ])
      refused(t, await post('{"name":"a"}', { 'content-type': type }), 415, {}, type)
    for (const type of [
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'application/merge-patch+json'
    ])
      t.match(await post('{"name":"a"}', { 'content-type': type }), { status: 200 }, type)
    refused(t, await post('{"name":"a"}', { ...json, 'content-encoding': 'gzip' }), 415, {}, 'gzip')
    refused(t, await ada.request('POST', '/v1/probe/sensitive', { body: '{"a":1}', headers: json }), 400, {
      param: '/a'
    })
    t.match(await ada.request('POST', '/v1/probe/sensitive', { body: '{}', headers: json }), { status: 200 })
    t.match(await ada.request('POST', '/v1/probe/sensitive'), { status: 200 })
  })

  await t.test('too large', async (t) => {
    const fits = `{"name":"${'a'.repeat(1_048_576 - 11)}"}`
    t.match(await post(fits), { status: 200 }, 'a MiB')
    refused(t, await post(`${fits} `), 413, {}, 'a byte more')
    const auth = { authorization: `Bearer ${await ada.key()}`, ...json }

    for (let round = 0; round < 5; round++) {
      const wire = await openWire(t, url)
      wire.send(requestText('POST', '/v1/probe/body', { ...auth, 'content-length': '50000000' }))
      for (let sent = 0; sent < 50; sent++) wire.send(Buffer.alloc(100_000, 32))
      refused(t, await wire.reply(), 413, {}, 'announced, and sent on')
    }
    const wire = await openWire(t, url)
    wire.send(requestText('POST', '/v1/probe/body', { ...auth, 'transfer-encoding': 'chunked' }))
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
    for (let sent = 0; sent < 20; sent++) wire.send(chunk)
    refused(t, await wire.reply(), 413, {}, 'in chunks')
    for (let round = 0; round < 5; round++)
      refused(t, await post(Buffer.alloc(8_000_000, 32)), 413, {}, 'by a client that writes before it reads')
    refused(t, await ada.request('POST', '/v1/probe/raw', { body: Buffer.alloc(4_000_001) }), 413)
    t.match(await ada.request('POST', '/v1/probe/raw', { body: Buffer.alloc(4_000_000) }), {
      status: 200,
      body: { data: { bytes: 4_000_000 } }
    })
  })

  await t.test('with too many values', async (t) => {
    const wrong = { code: 'json_too_many_values', message: /120000 values/ }
    const many = `[${'1,'.repeat(120_000)}1]`
    refused(t, await post(many), 413, wrong)
    refused(t, await ada.request('POST', '/v1/probe/raw', { body: many, headers: json }), 413, wrong, 'raw')
    t.match(await ada.request('POST', '/v1/probe/raw', { body: many }), { status: 200 }, 'of what is no JSON')
    t.match(await post(`{"name":"a","open":[${'1,'.repeat(119_000)}1]}`), { status: 200 }, 'a few less')
    const names = `{${Array.from({ length: 350_000 }, (_, index) => `"${index.toString(36)}":1`).join()}}`
    const large = () => ada.request('POST', '/v1/probe/raw', { body: names, headers: json })
    refused(t, await inShortTurns(t, large, 'names of 4 MB'), 413, wrong)
    const wire = await openWire(t, url)
    const auth = { authorization: `Bearer ${await ada.key()}`, ...json, 'transfer-encoding': 'chunked' }
    wire.send(requestText('POST', '/v1/probe/raw', auth))
    for (let sent = 0; sent < 20; sent++) wire.send(`4e20\r\n${'[],'.repeat(6_666)}[]\r\n`)
    refused(t, await wire.reply(), 413, wrong, 'before all of it has arrived')
  })

  await t.test('in chunks', async (t) => {
    const auth = { authorization: `Bearer ${await ada.key()}`, ...json, 'transfer-encoding': 'chunked' }
    const wire = await openWire(t, url)
    wire.send(requestText('POST', '/v1/probe/body', auth))
    for (const part of ['{"na', 'me":"\xc3', '\xa9"}'])
      wire.send(Buffer.from(`${part.length.toString(16)}\r\n${part}\r\n`, 'latin1'))
    wire.send('0\r\n\r\n')
    t.match(await wire.reply(), { status: 200, body: { data: { name: 'é' } } })

    wire.send(requestText('POST', '/v1/probe/body', auth))
    wire.send('zz\r\n{}\r\n')
    refused(t, await wire.reply(), 400, {}, 'a chunk without a length')
    await wire.closed
  })

  await t.test('cut off', async (t) => {
    const wire = await openWire(t, url)
    const auth = { authorization: `Bearer ${await ada.key()}`, ...json }
    wire.send(requestText('POST', '/v1/probe/body', { ...auth, 'content-length': '100' }))
    wire.send('{"name":')
    wire.socket.end()
    await wire.closed
    t.match(await ada.get('/v1/probe/query'), { status: 200 }, 'others are served')
  })
})
