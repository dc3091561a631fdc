import t from 'tap'
import { argumentsOf } from '../execute/tool-arguments.ts'
import { meantTool, noSuchTool } from '../execute/tool-names.ts'
import { local, puppetStage, run, scripted, streamed, tool } from './testbed.ts'

t.test('repairs names of tools that can mean only one tool', async (t) => {
  const names = ['calculator', 'current_time', 'docs.search', 'Files_read', 'files_write']
  const meant: Record<string, string> = {
    calculator: 'calculator',
    Calculator: 'calculator',
    'functions.calculator': 'calculator',
    'default_api:calculator': 'calculator',
    'tools/calculator': 'calculator',
    ' calculator ': 'calculator',
    '`calculator`': 'calculator',
    'calculator()': 'calculator',
    'calculator<|channel|>commentary': 'calculator',
    'functions.Calculator<|constrain|>json': 'calculator',
    'current-time': 'current_time',
    currentTime: 'current_time',
    'docs.search': 'docs.search',
    docs_search: 'docs.search',
    'functions.docs.search': 'docs.search',
    filesRead: 'Files_read'
  }
  for (const [name, own] of Object.entries(meant)) {
    const found = meantTool(name, names)
    if (name === 'functions.docs.search') t.equal(found, undefined, 'no more than one prefix is left out')
    else t.equal(found, own, name)
  }
  for (const name of ['', '.', '<|channel|>', 'calculate', 'calc', 'write', 'calculator2', '___'])
    t.equal(meantTool(name, names), undefined, name)
  t.equal(meantTool('Look', ['look', 'LOOK']), undefined, 'it could be either')
  t.equal(meantTool('a.look', ['b.look', 'c.look']), undefined)
  t.equal(meantTool('look', ['b.look']), undefined, 'a prefix is not added')
})

t.test('lists the available tools within limits', async (t) => {
  t.equal(noSuchTool('x', []), 'There is no tool x. No tools are available.')
  t.equal(noSuchTool('x', ['a', 'b']), 'There is no tool x. Available tools: a, b.')
  const many = Array.from({ length: 500 }, (_, at) => `tool_${at}`.padEnd(60, '_'))
  const text = noSuchTool('x'.repeat(500), many)
  t.match(text, /Available tools: tool_0_+, tool_1_+, .* and 467 more\.$/)
  t.ok(text.length < 2_500, `${text.length} characters`)
})

t.test('reads arguments as models write them', async (t) => {
  const given: [string, unknown][] = [
    ['{"a":1}', { a: 1 }],
    ['', {}],
    ['  ', {}],
    ['null', {}],
    ['""', {}],
    ['"null"', {}],
    ['"{\\"a\\":1}"', { a: 1 }],
    [JSON.stringify(JSON.stringify('{"a":1}')), { a: 1 }],
    ['{}{"a":1}', { a: 1 }],
    ['{} {"a":1}', { a: 1 }],
    ['{}', {}],
    ['{"a":{}}', { a: {} }],
    ['[1]', undefined],
    ['7', undefined],
    ['true', undefined],
    ['"text"', undefined],
    ['{"a":', undefined],
    ['{"a":1}{"b":2}', undefined],
    [`${'"'.repeat(50)}`, undefined]
  ]
  for (const [input, expected] of given) t.strictSame(argumentsOf(input), expected, input)
})

t.test('a call with a repaired name is made, and told by the name of its tool', async (t) => {
  const { server, ada, play } = await puppetStage(t)
  play.tools = () => [tool('look', async ({ args }) => ({ output: { seen: args } }), { idempotent: true })]
  const agent = await ada.agent(scripted('tool=functions.Look&args="{\\"at\\":1}"&text=Done'))
  const { events } = await streamed(ada, agent, 'Look')
  t.match(
    events.find(({ type }) => type === 'toolStart'),
    { toolName: 'look', args: { at: 1 } }
  )
  t.match(
    events.find(({ type }) => type === 'toolEnd'),
    { output: { seen: { at: 1 } }, isError: false }
  )
  t.match(
    server.requests.at(-1)?.body.messages.find(({ role }) => role === 'assistant'),
    {
      tool_calls: [{ function: { name: 'look', arguments: '{"at":1}' } }]
    }
  )
})

t.test('a tool of the caller is found by a repaired name', async (t) => {
  const { ada } = await puppetStage(t)
  const agent = await ada.agent(local)
  const { body } = await run(ada, agent, '/call functions.dig {"depth":2}', { cliTools: [{ name: 'dig' }] })
  t.match(body.data, { status: 'waiting', pending: [{ toolName: 'dig', args: { depth: 2 } }] })
})
