// tier: whole
// process: own
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../pack-folders.ts'
import { readBlocks } from './blocks.ts'
import { follow } from './document.ts'
import { findLines, matchesJson, matchesText } from './outputs.ts'

type Scope = Parameters<typeof temporaryFolder>[0]

const fenced = (...blocks: readonly [info: string, text: string][]) =>
  blocks.map(([info, text]) => `Some prose.\n\n\`\`\`${info}\n${text}\n\`\`\`\n`).join('\n')

/** What its reader is told: nothing, or what is wrong. */
async function told(t: Scope, ...blocks: readonly [info: string, text: string][]) {
  const folder = await temporaryFolder(t)
  const skipped: string[] = []
  const scope = {
    teardown: (work: () => unknown) => t.teardown(work),
    pass: (name: string, { skip }: { skip?: string }) => skip && skipped.push(`${name}: ${skip}`)
  }
  const fault = await follow(scope, fenced(...blocks), { folder, patience: 5_000 }).then(
    () => undefined,
    (error: Error) => error.message
  )
  const line = (text: string) =>
    1 +
    fenced(...blocks)
      .split('\n')
      .indexOf(text)
  return { folder, skipped, fault, line }
}

const server = `node -e "require('node:http').createServer((_, reply) => reply.end('hello'))
  .listen(process.env.PORT, '127.0.0.1', () => console.log('at http://127.0.0.1:' + process.env.PORT))"`

t.test('a document in which everything is true is followed to its end', async (t) => {
  const { fault, folder, skipped, line } = await told(
    t,
    ['sh', 'npm ci\nNAME=Ada\ngreet() { echo "Hello, $1"; }'],
    ['text', ''],
    ['sh', 'greet "$NAME"\necho id $RANDOM && echo >&2 '.concat("'a warning'")],
    ['text', 'Hello, Ada\nid …\na warning'],
    ['ts greet/hello.ts', 'export const hello = 1\n\nexport const more = [\n  1\n]'],
    ['diff greet/hello.ts', ' export const more = [\n-  1\n+  1,\n+  2\n ]'],
    ['sh', 'mkdir -p below && cd below && cat ../greet/hello.ts'],
    ['text', 'export const hello = 1\n…\n  2\n]'],
    ['sh', 'pwd'],
    ['text', '…/below'],
    ['sh fails', 'echo no; false'],
    ['text', 'no'],
    ['sh', `echo '{ "a": [1, { "id": "x_12", "more": true }], "at": 12 }'`],
    ['json', '{\n  "a": [1, { "id": "x_…", "…": "…" }],\n  "at": "…"\n}'],
    ['sh serves', `echo first; ${server}`],
    ['text', 'first\nat http://127.0.0.1:3000'],
    ['sh', 'curl -s http://127.0.0.1:3000'],
    ['text', 'hello'],
    ['sh serves', `${server}; sleep 60`],
    ['text', 'at …'],
    ['sh skip: it needs Docker', 'docker compose up'],
    ['', 'a drawing']
  )
  t.equal(fault, undefined)
  t.equal(
    await readFile(join(folder, 'greet/hello.ts'), 'utf8'),
    'export const hello = 1\n\nexport const more = [\n  1,\n  2\n]\n'
  )
  t.same(skipped, [`line ${line('```sh skip: it needs Docker')}: docker compose up: it needs Docker`])
})

t.test('whatever is not true in a document is told, and where', async (t) => {
  const cases: Record<string, [string, string][]> = {
    'line 3: it failed': [['sh', 'echo before\nfalse\necho behind']],
    'line 3: it failed, and printed:\ncat: ': [['sh', 'cat nothing.txt && echo ok']],
    'line 3: it failed, and printed:\n…unbound': [['sh', 'echo $NOTHING_OF_THE_KIND']],
    'line 3: it did not fail': [['sh fails', 'echo fine']],
    'line 9: the output is another one': [
      ['sh', 'echo one; echo two'],
      ['text', 'one']
    ],
    'line 3: it takes too long': [['sh', 'sleep 60']],
    'line 10: the output is another one': [
      ['sh', `echo\necho '{ "a": 1, "b": 2 }'`],
      ['json', '{ "a": 1 }']
    ],
    'line 9: these lines are there 0 times': [
      ['ts a.ts', 'one'],
      ['diff a.ts', '-two\n+three']
    ],
    'line 10: these lines are there 2 times': [
      ['ts a.ts', 'one\none'],
      ['diff a.ts', '-one\n+three']
    ],
    'line 9: a line of a diff begins with': [
      ['ts a.ts', 'one'],
      ['diff a.ts', 'one\n+three']
    ],
    'line 3: ENOENT': [['diff missing.ts', '-two\n+three']],
    'line 9: it ended, and printed:\nfirst': [
      ['sh serves', 'echo first'],
      ['text', 'second']
    ],
    'line 9: it takes too long, and printed:\nfirst': [
      ['sh serves', 'echo first; sleep 60'],
      ['text', 'second']
    ]
  }
  for (const [expected, blocks] of Object.entries(cases)) {
    const { fault = 'nothing' } = await told(t, ...blocks)
    t.ok(matchesText(`${expected}…\n…`, `${fault}\n`) || matchesText(`${expected}…`, fault), expected, {
      fault
    })
  }
})

t.test('a block has to say what it is', async (t) => {
  const refused: [string, RegExp][] = [
    ['ts', /line 3: ts: it is no command, no output, and no file/],
    ['sh quietly', /line 3: sh quietly: nothing is known of quietly/],
    ['text', /line 3: an output stands behind the commands/],
    ['yaml skip:', /line 3: yaml skip:: it is no command/]
  ]
  for (const [info, message] of refused) t.throws(() => readBlocks(fenced([info, 'x'])), { message })
  t.same(readBlocks('1. first\n\n   ```sh\n   ls\n   ```\n'), [
    { kind: 'commands', ends: 'well', line: 3, text: 'ls' }
  ])
})

t.test('an output is compared but for what is another one each time', async (t) => {
  t.ok(matchesText('a.c\n', '\na.c  \r\n'))
  t.notOk(matchesText('a.c', 'abc'))
  t.ok(matchesText('id_…, …', 'id_12, 34'))
  t.notOk(matchesText('id_…', 'id_12\nmore'))
  t.ok(matchesText('a\n…\nb', 'a\nb'.replace('\n', '\nx\ny\n')))
  t.notOk(matchesText('a\n…\nb', 'a\nx\nc'))

  t.equal(findLines('b\nd', 'a\nb\nc\nd\ne'), 7)
  t.equal(findLines('d\nb', 'a\nb\nc\nd\ne'), undefined)

  t.notOk(matchesJson('{}', 'no JSON'))
  t.notOk(matchesJson('{ "a": null }', '{}'))
  t.notOk(matchesJson('[]', '{}'))
  t.notOk(matchesJson('[1]', '[1, 2]'))
  t.notOk(matchesJson('{ "a": "…x" }', '{ "a": "xy" }'))
  t.notOk(matchesJson('{ "a": 1, "…": "…" }', '{ "b": 1 }'))
  t.ok(matchesJson('{ "a": { "…": "…" } }', '{ "a": {} }'))
})
