import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { inShortTurns } from '../../test/turns.ts'
import { parseJson } from './json-body.ts'
import { createScan, limitJson, MAX_DEPTH } from './json-scan.ts'

const MOST = 1_000
limitJson(MOST)
t.teardown(() => limitJson(120_000))

/** Undefined where the body is taken. */
function refusal(text: string): { kind: string; message: string; param?: string; code?: string } | undefined {
  try {
    parseJson(Buffer.from(text))
  } catch (error) {
    return error as never
  }
}
const TOO_MANY = { kind: 'tooLarge', code: 'json_too_many_values', message: /1000.*JSON_MAX_VALUES/ }
const listOf = (count: number, item: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, index) => item(index)).join()}]`
/** More white space than values fit in: such a body is scanned. */
const SPACE = ' '.repeat(MOST)

t.test('counts values and distinct names of a JSON body up to the limit', (t) => {
  for (const [name, item] of Object.entries({
    numbers: () => '-1.5e3',
    'small numbers': () => '1',
    words: (index: number) => ['true', 'false', 'null'][index % 3] as string,
    'empty texts': () => '""',
    'texts that look like more': () => '",1,[{\\"a\\":1},{\\\\"',
    'empty arrays': () => '[]',
    'empty objects': () => '{}'
  })) {
    t.equal(refusal(listOf(MOST - 1, item) + SPACE), undefined, `as many ${name} as the limit, in an array`)
    t.match(refusal(listOf(MOST, item) + SPACE), TOO_MANY, `one more of ${name}`)
  }
  const spaced = listOf(MOST, () => '\n 1\t').replaceAll(',', ' ,\r\n')
  t.match(refusal(spaced), TOO_MANY, 'with white space around')
  const named = (count: number) => `{${Array.from({ length: count }, (_, index) => `"n${index}":1`).join()}}`
  t.equal(refusal(named(Math.floor(MOST / 3)) + SPACE), undefined, 'each other name counts twice')
  t.match(refusal(named(Math.floor(MOST / 3) + 1) + SPACE), TOO_MANY)
  const row = `{"id":1,"\\"":"\\\\","b c":[2]}`
  t.equal(refusal(listOf(Math.floor((MOST - 7) / 5), () => row) + SPACE), undefined, 'rows of the same names')
  t.match(refusal(listOf(Math.floor(MOST / 5), () => row) + SPACE), TOO_MANY)
  t.end()
})

t.test('finds the end of a string that spans several chunks', (t) => {
  for (const long of [
    'x'.repeat(500),
    'é"\\'.repeat(200),
    `${'x'.repeat(100)}\\`,
    `${'\\"'.repeat(60)}${'[,'.repeat(80)}`
  ]) {
    const body = JSON.stringify({ [long]: [long, { [`${long}2`]: long }] }) + SPACE
    t.equal(refusal(body), undefined)
    t.match(refusal(`[${body},${'1,'.repeat(MOST)}1]`), TOO_MANY)
    limitJson(1 + 2 + 1 + 1 + 1 + 2 + 1)
    t.equal(refusal(body), undefined, 'each is counted once')
    limitJson(1 + 2 + 1 + 1 + 1 + 2)
    t.match(refusal(body), { kind: 'tooLarge' })
    limitJson(MOST)
  }
  t.end()
})

t.test('counts the same wherever the body is split into chunks', (t) => {
  const text = `{"a\\"b":["c\\\\",-12.5e1,true],"d":{"a\\"b":"é😀"},"e":""}`
  const bytes = Buffer.from(text)
  // Three names, of which one repeats, and eight values with the whole.
  const counted = 2 * 3 + 8
  for (const most of [counted, counted - 1]) {
    limitJson(most)
    const outcomes = new Set(
      Array.from({ length: bytes.length + 1 }, (_, at) => {
        const scan = createScan()
        try {
          for (const piece of [bytes.subarray(0, at), bytes.subarray(at)]) scan(piece)
          return 'taken'
        } catch (error) {
          return (error as { code: string }).code
        }
      })
    )
    t.same([...outcomes], [most === counted ? 'taken' : 'json_too_many_values'])
  }
  limitJson(MOST)
  t.end()
})

t.test('rejects forbidden values in small and large bodies', (t) => {
  for (const space of ['', SPACE])
    for (const [text, param] of [
      ['{"a":["x","b\\u0000"]}', '/a/1'],
      ['{"a":{"b\\u0000":1}}', '/a/b\0'],
      ['{"a":{"\\ud800":1}}', '/a/\ufffd'],
      ['[{"b":"\\udc00"}]', '/0/b'],
      ['{"a/b":[{"c~":1e400}]}', '/a~1b/0/c~0'],
      [`{"a":${'9'.repeat(400)}}`, '/a'],
      [`{"a":"b","c":-${'9'.repeat(309)}}`, '/c'],
      ['[{"__proto__":1}]', '/0/__proto__'],
      ['{"a":{"constructor":{"prototype":{}}}}', '/a/constructor'],
      ['"\\u0000"', ''],
      ['{"a":', ''],
      ['"\u0001"', ''],
      [`${'['.repeat(MAX_DEPTH + 1)}${' '.repeat(MOST)}${']'.repeat(MAX_DEPTH + 1)}`, '']
    ] as const)
      t.match(refusal(text + space), { kind: 'invalid', param }, text.slice(0, 40))
  const fine = `{"a":"${'1'.repeat(400)}","constructor":"Acme","b":0.${'1'.repeat(400)},"c":"\\ud83d\\ude00"}`
  for (const space of ['', SPACE]) t.equal(refusal(fine + space), undefined)
  t.end()
})

/** In a turn that is measured. */
const soon = async <T>(work: () => T): Promise<T> => {
  await setImmediate()
  return work()
}

t.test('blocks the event loop only briefly for any body', async (t) => {
  limitJson(120_000)
  for (const [name, text] of Object.entries({
    digits: `{"code":"${`${'1'.repeat(308)}a`.repeat(3_300)}"}`,
    'digits, in what is small': `{"code":"${`${'1'.repeat(308)}a`.repeat(400)}"}`,
    'as many names as there may be': `{${Array.from({ length: 39_000 }, (_, index) => `"n${index}":1`).join()}}`,
    'as many objects of other names': listOf(29_000, (index) => `{"n${index}":1}`),
    'as many texts': listOf(119_000, (index) => `"t${index}"`)
  })) {
    const body = Buffer.from(text)
    await inShortTurns(t, () => soon(() => parseJson(body)), name)
  }
  const many = Buffer.from(`{${Array.from({ length: 1_000_000 }, (_, index) => `"n${index}":1`).join()}}`)
  const refused = () => soon(() => t.throws(() => parseJson(many), { code: 'json_too_many_values' }))
  await inShortTurns(t, refused, 'more than that')
})
