// tier: whole
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import t from 'tap'
import { temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import type { StaticTool } from '../../tools/contract.ts'
import { stage } from './testbed.ts'

/** What the suite wants of a server that it tests, as far as tools of this platform can be that. */
const prop = (call: StaticTool['call'], parameters: object = { type: 'object' }): StaticTool => ({
  description: 'For the conformance suite',
  parameters,
  idempotent: true,
  call
})
const dialect = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } }
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false
}
const tools = {
  test_simple_text: prop(async () => ({ output: 'This is a simple text response for testing.' })),
  test_error_handling: prop(async () => ({
    output: 'This tool intentionally returns an error for testing',
    isError: true
  })),
  test_tool_with_progress: prop(async ({ progress }) => {
    for (const part of ['0', '50', '100']) progress(part)
    return { output: 'done' }
  }),
  json_schema_2020_12_tool: prop(async () => ({ output: 'ok' }), dialect)
}

const content = 'a tool of this platform gives JSON or text: other content has no place in it'
const asking =
  'nothing is asked of a tool client: each request stands for itself, so that any instance answers it'
const logging = 'not offered: a log level would have to be kept, and the 2026-07-28 revision deprecates it'
const resources = 'not offered: the platform serves tools, and no resources'
const prompts = 'not offered: the platform serves tools, and no prompts'
/** Each scenario that fails, and why it does. */
const expected: Readonly<Record<string, string>> = {
  'logging-set-level': logging,
  'tools-call-with-logging': logging,
  'completion-complete': 'not offered: there is nothing to complete, neither prompts nor templates',
  'tools-call-image': content,
  'tools-call-audio': content,
  'tools-call-embedded-resource': content,
  'tools-call-mixed-content': content,
  'tools-call-sampling': asking,
  'tools-call-elicitation': asking,
  'elicitation-sep1034-defaults': asking,
  'elicitation-sep1330-enums': asking,
  'server-sse-polling': 'a stream that was cut is not resumed by event ids: a run is asked for by its own id',
  'resources-list': resources,
  'resources-read-text': resources,
  'resources-read-binary': resources,
  'resources-templates-read': resources,
  'resources-subscribe': resources,
  'resources-unsubscribe': resources,
  'prompts-list': prompts,
  'prompts-get-simple': prompts,
  'prompts-get-with-args': prompts,
  'prompts-get-embedded-resource': prompts,
  'prompts-get-with-image': prompts
}

const { booted, ada } = await stage(t, { tools })
const agent = await ada.agent()
for (const toolId of Object.keys(tools)) {
  const { status, text } = await ada.post(`/v1/agents/${agent.id}/tools`, { toolId })
  if (status !== 201) throw new Error(`${toolId}: ${text}`)
}

/** The suite has no credential: the proxy before it adds one. */
const authorization = `Bearer ${await ada.key()}`
const before = createServer((request, response) => {
  const target = new URL(`/v1/mcp?agentId=${agent.id}`, booted.url)
  const { method = 'POST', headers } = request
  const passed = send(target, { method, headers: { ...headers, authorization } }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(response)
  })
  passed.on('error', () => response.destroy())
  response.on('close', () => passed.destroy())
  request.pipe(passed)
}).listen(0, '127.0.0.1')
await once(before, 'listening')
t.teardown(() => before.close().closeAllConnections())
const url = `http://localhost:${(before.address() as AddressInfo).port}/mcp`

t.test('the official suite fails where it is expected to, and nowhere else', async (t) => {
  const folder = await temporaryFolder(t)
  const names = Object.keys(expected).map((name) => `  - ${name}\n`)
  await writeFiles(folder, { 'expected.yaml': `server:\n${names.join('')}` })
  const suite = dirname(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')
  )
  const told = ['--suite', 'all', '--url', url, '--expected-failures', 'expected.yaml', '-o', folder]
  const child = spawn(process.execPath, [join(suite, 'dist/index.js'), 'server', ...told], { cwd: folder })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part) => (output += part))
  const [code] = await once(child, 'close')
  t.equal(code, 0, output)
  for (const name of [
    'server-initialize',
    'tools-list',
    'tools-call-with-progress',
    'json-schema-2020-12',
    'dns-rebinding-protection'
  ])
    t.match(output, new RegExp(`✓ ${name}: [1-9]\\d* passed, 0 failed`))
})
