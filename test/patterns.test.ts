import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../kernel/deployment.ts'
import { allowed, madeAtRunTime } from './patterns/allowed.ts'
import { findPatterns, patternsOf, textOf } from './patterns/find-patterns.ts'
import { judge } from './patterns/judge-pattern.ts'

/** Those that were judged before, since that takes minutes for all: the beginning of the SHA-256 of each, one a line. */
const list = join(root, 'test/patterns/linear.txt')
const keyOf = (pattern: string) => createHash('sha256').update(pattern).digest('hex').slice(0, 16)
const known = new Set(existsSync(list) ? readFileSync(list, 'utf8').split('\n') : [])

t.test('every regular expression takes linear time or is listed with a reason', (t) => {
  const { patterns, unknown } = findPatterns(root)
  t.ok(patterns.length > 500, `${patterns.length} patterns`)
  const linear: string[] = []
  for (const pattern of patterns) {
    const text = textOf(pattern)
    if (text in allowed) continue
    const growth = known.has(keyOf(text)) ? undefined : judge(pattern)
    if (growth === undefined) linear.push(keyOf(text))
    else
      t.fail(
        `${pattern.places.join(', ')}: ${text} (${growth}). Use a method of strings, or a pattern without two parts that match the ` +
          'same text one after the other; see kernel/contract/text.ts. List it in test/patterns/allowed.ts only where the input is bounded.'
      )
  }
  if (process.env.UPDATE) writeFileSync(list, `${linear.sort().join('\n')}\n`)
  t.same(unknown.sort(), Object.keys(madeAtRunTime).sort(), 'each pattern that is made at run time is listed')
  for (const [text, reason] of Object.entries({ ...allowed, ...madeAtRunTime }))
    t.ok(reason.length > 20, text)
  t.end()
})

t.test('patterns are found wherever they are written', (t) => {
  const code = [
    "const end = '[0-9]+'",
    "a.replace(/=+$/g, '') && new RegExp('x\\\\d' + end, 'i').test(b)",
    'const schema = { pattern: `^$' + '{end}$` }',
    "const pattern = '^a$'",
    'f({ pattern }, RegExp(b), { pattern: b }, { pattern: /c/ })',
    'const none = a / b / c // /comment/',
    'const shown = /d[/]e/.test("/f/") ? <br /> : "/g/"'
  ].join('\n')
  t.same(
    patternsOf(code).map(({ source, flags, code }) => (source === undefined ? code : `/${source}/${flags}`)),
    ['/=+$/g', '/x\\d[0-9]+/i', '/^[0-9]+$/u', '/^a$/u', 'RegExp(b)', 'pattern: b', '/c/', '/d[/]e/']
  )
  t.end()
})

t.test('detects patterns with super-linear time', (t) => {
  const slow: [string, string][] = [
    ['=+$', ''],
    ['^(a+)+$', ''],
    ['^\\s*x?\\s*$', ''],
    ['a.{0,500}b', 'i']
  ]
  for (const [source, flags] of slow) t.ok(judge({ source, flags }), source)
  for (const source of ['^a+$', 'a{3}', '^\\s*x', '^[!-~]{1,8192}$', '[a*+]'])
    t.equal(judge({ source, flags: '' }), undefined, source)
  t.end()
})
