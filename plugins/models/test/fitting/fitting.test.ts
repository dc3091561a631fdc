import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import t from 'tap'
import { fitted } from '../../fitting/fitted.ts'
import { acceptedName, toolNames } from '../../fitting/tool-names.ts'
import { toolSchema } from '../../fitting/tool-schema.ts'
import { call, readAll, testbed } from '../chat-completions/testbed.ts'

const text = { type: 'string' }

t.test('parameters of a tool become an object with properties', async (t) => {
  const empty = { type: 'object', properties: {} }
  for (const given of [undefined, null, true, false, [], 'text', {}, { type: 'object' }, { type: 'string' }])
    t.strictSame(toolSchema(given), empty, JSON.stringify(given))
  t.strictSame(toolSchema({ additionalProperties: false }), { additionalProperties: false, ...empty })
  t.strictSame(toolSchema({ type: ['object', 'null'], properties: { a: text } }), {
    type: 'object',
    properties: { a: text }
  })
  const whole = { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false }
  t.strictSame(toolSchema(whole), whole, 'a schema that every vendor accepts is not changed')
})

t.test(
  'alternatives at the root become optional properties, and the rule is in the description',
  async (t) => {
    const either = {
      type: 'object',
      description: 'A file',
      properties: { content: text, address: text },
      anyOf: [{ required: ['content'] }, { required: ['address'] }]
    }
    const { description, ...rest } = toolSchema(either)
    t.strictSame(rest, { type: 'object', properties: { content: text, address: text } })
    t.match(description, /^A file\n.*"anyOf":\[\{"required":\["content"\]\}/)

    const kinds = toolSchema({
      oneOf: [
        { properties: { kind: { const: 'a' }, size: { type: 'integer' } }, required: ['kind', 'size'] },
        { properties: { kind: { const: 'b' }, name: text }, required: ['kind'] }
      ]
    })
    t.match(kinds, {
      type: 'object',
      properties: {
        kind: { anyOf: [{ const: 'a' }, { const: 'b' }] },
        size: { type: 'integer' },
        name: text
      },
      required: ['kind'],
      oneOf: undefined
    })

    t.match(toolSchema({ required: ['a'] }), { properties: { a: {} }, required: ['a'] })

    const all = toolSchema({
      allOf: [{ $ref: '#/$defs/base' }, { properties: { b: text }, required: ['b'] }],
      if: { required: ['b'] },
      else: { properties: { c: text } },
      $defs: { base: { properties: { a: text }, required: ['a'] } }
    })
    t.match(all, { properties: { a: text, b: text, c: text }, required: ['a', 'b'] })
    for (const keyword of ['allOf', 'if', 'else']) t.notOk(keyword in all, keyword)

    const many = Array.from({ length: 1_000 }, (_, at) => ({ required: [`name-${at}`] }))
    const long = toolSchema({ properties: { a: text }, anyOf: many })
    t.ok(String(long.description).length < 200, 'a rule that is too long is not repeated')
  }
)

t.test('resolves a reference at the root of a tool schema', async (t) => {
  const $defs = {
    input: { $ref: '#/$defs/real' },
    real: { type: 'object', properties: { next: { $ref: '#/$defs/real' } }, required: ['next'] }
  }
  t.strictSame(toolSchema({ $ref: '#/$defs/input', $defs }), {
    $defs,
    type: 'object',
    properties: { next: { $ref: '#/$defs/real' } },
    required: ['next']
  })
  const loop = { $ref: '#/$defs/loop' }
  for (const given of [
    { $ref: '#' },
    { $ref: 'https://example.com/schema' },
    { $ref: '#/$defs/none' },
    { $ref: '#/$defs/loop', $defs: { loop } },
    { anyOf: [{ $ref: '#/$defs/again' }], $defs: { again: { anyOf: [{ $ref: '#/$defs/again' }] } } }
  ]) {
    const fitted = toolSchema(given)
    t.match(fitted, { type: 'object', properties: {} }, JSON.stringify(given))
    t.notOk('$ref' in fitted || 'anyOf' in fitted)
  }
})

t.test('converts keywords of older JSON Schema drafts', async (t) => {
  t.strictSame(
    toolSchema({
      properties: {
        list: { type: 'array' },
        pair: { type: 'array', items: [text, true] },
        any: true,
        over: { type: 'number', minimum: 1, exclusiveMinimum: true },
        inner: { type: 'object', properties: { deep: { type: ['array', 'null'] } } },
        must: { type: 'string', required: true }
      }
    }).properties,
    {
      list: { type: 'array', items: {} },
      pair: { type: 'array', items: {}, prefixItems: [text, {}] },
      any: {},
      over: { type: 'number', exclusiveMinimum: 1 },
      inner: { type: 'object', properties: { deep: { type: ['array', 'null'], items: {} } } },
      must: { type: 'string' }
    }
  )
})

t.test('sanitizes tool names, and keeps them distinct', async (t) => {
  t.equal(acceptedName('browser.tabs.open'), 'browser_tabs_open')
  t.equal(acceptedName('3d-view'), '_3d-view')
  t.equal(acceptedName(''), '_')
  t.equal(acceptedName('ü'.repeat(200)).length, 64)
  const names = toolNames(['3d', '_3d', 'look'])
  t.equal(names.sent('look'), 'look')
  t.equal(names.sent('_3d'), '_3d')
  t.not(names.sent('3d'), '_3d', 'two tools have two names')
  for (const name of ['3d', '_3d', 'look']) t.equal(names.own(names.sent(name)), name)
  t.equal(names.own('unknown'), 'unknown')
})

t.test('sends accepted names and schemas, and maps tool calls back to the original names', async (t) => {
  const { server, model } = await testbed(t)
  const options: Partial<LanguageModelV4CallOptions> = {
    tools: [{ type: 'function', name: '3d', inputSchema: {} }],
    toolChoice: { type: 'tool', toolName: '3d' },
    prompt: [
      { role: 'user', content: [{ type: 'text', text: 'Look' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'no.such tool', input: {} }]
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'no.such tool',
            output: { type: 'error-text', value: 'No' }
          }
        ]
      },
      { role: 'user', content: [{ type: 'text', text: 'Look again' }] }
    ]
  }
  const one = fitted(model('mock?tool=_3d'))
  const streamed = (await readAll((await one.doStream(call(options))).stream)).filter(
    ({ type }) => type === 'tool-call' || type === 'tool-input-start'
  )
  t.match(streamed, [{ toolName: '3d' }, { toolName: '3d' }])
  t.match((await one.doGenerate(call(options))).content, [{ type: 'tool-call', toolName: '3d' }])
  const parts = await one.doParts?.(call(options))
  const came = []
  for (let next = await parts?.next(); next; next = await parts?.next()) came.push(...next)
  t.match(
    came.find(({ type }) => type === 'tool-call'),
    { toolName: '3d' }
  )
  t.equal(server.requests.length, 3)
  for (const { body } of server.requests)
    t.match(body, {
      tools: [{ function: { name: '_3d', parameters: { type: 'object', properties: {} } } }],
      tool_choice: { function: { name: '_3d' } },
      messages: [{}, { tool_calls: [{ function: { name: 'no_such_tool' } }] }, {}, {}]
    })
})
