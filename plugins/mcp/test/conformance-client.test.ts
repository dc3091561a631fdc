// budget: 8 s, because the official suite starts a process for each scenario
// tier: whole
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { expected } from './conformance-failures-fixture.ts'
import { createClient } from './conformance-testbed.ts'
import { httpServer } from './tool-server-fixture.ts'

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))
/** What the suite starts as a client: asks the test, which has everything loaded. */
const starter = `
const { MCP_TEST_CLIENT, MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context } = process.env
const body = JSON.stringify({ scenario, url: process.argv.at(-1), context: context && JSON.parse(context) })
const reply = await fetch(MCP_TEST_CLIENT, { method: 'POST', body })
console.error(await reply.text())
process.exit(reply.ok ? 0 : 1)
`
/** Measures time, and so is played alone. */
const TIMED = 'sse-retry'

/** What a scenario wants its client to do. */
async function play(scenario: string, url: string, context: object | undefined) {
  const { open, call } = createClient(url, context)
  const connection = await open()
  try {
    const { tools } = await connection.client.listTools()
    if (scenario === 'tools_call') await call(connection, 'add_numbers', { a: 5, b: 3 })
    else if (scenario === 'elicitation-sep1034-client-defaults')
      await call(connection, 'test_client_elicitation_defaults', {}, async () => ({
        action: 'accept',
        content: {}
      }))
    else for (const { name } of tools) await call(connection, name)
  } finally {
    await connection.close()
  }
}

t.test('the official conformance suite for clients', async (t) => {
  const folder = t.testdir({ 'client.mjs': starter, results: {} })
  const { url } = await httpServer(t, async ({ body }, reply) => {
    const { scenario, url, context } = JSON.parse(body)
    try {
      await play(scenario, url, context)
      reply.end()
    } catch (error) {
      reply.writeHead(500).end(String((error as Error).stack))
    }
  })
  async function run(...args: string[]) {
    const command = `${process.execPath} ${join(folder, 'client.mjs')}`
    const child = spawn(
      process.execPath,
      [suite, 'client', '--command', command, '--timeout', '60000', ...args],
      {
        env: { ...process.env, MCP_TEST_CLIENT: url, NODE_OPTIONS: '' }
      }
    )
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { out, err }
  }

  await run('--scenario', TIMED, '-o', join(folder, 'results'))
  const [result = ''] = await readdir(join(folder, 'results'))
  const checks = JSON.parse(await readFile(join(folder, 'results', result, 'checks.json'), 'utf8'))
  t.same(
    checks.filter(({ status }: { status: string }) => status === 'FAILURE'),
    [],
    TIMED
  )

  const { out, err } = await run('--suite', 'all')
  const lines = [...out.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed(?:, (\d+) warnings)?/gm)]
  t.ok(lines.length > 20, `${lines.length} scenarios`)
  const failed = lines.flatMap(([, name, , failures, warnings = '0']) =>
    name !== TIMED && Number(failures) + Number(warnings) > 0 ? [name] : []
  )
  const wanted = Object.keys(expected).sort()
  if (!t.same(failed.sort(), wanted, 'what fails is what is expected to')) t.comment(out, err)
})
