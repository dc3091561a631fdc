import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client, RunEvent } from 'agent-platform-client'
import { Command } from 'commander'
import { typeOfId } from '../../kernel/contract/ids.ts'
import { harmless } from '../../process/terminal.ts'
import { interrupted, unlessInterrupted } from '../interruption.ts'
import type { Wanted } from '../operator.ts'
import { projectOption, urlOption, withPlatform } from '../operator.ts'
import { examples, note } from '../output.ts'
import { listAgents } from './agents.ts'

interface Options extends Pick<Wanted, 'url' | 'project'> {
  readonly session?: string
  readonly json?: boolean
}

/** A run may take an hour, and may have to wait for others of its session. */
const MINUTES = 120
/** Until a run that was just asked for is known. */
const KNOWN_MS = 3_000

export function runCommand(): Command {
  return examples(
    new Command('run')
      .description('Run an agent and stream its answer. Ctrl-C cancels the run')
      .argument('<agent>', 'ID or name of the agent')
      .argument('<message>', 'message to the agent')
      .option('--session <id>', 'ID of the session to continue (default: a new session)')
      .addOption(projectOption())
      .option('--json', 'print each event as a line of JSON')
      .addOption(urlOption())
      .action(run),
    'run Ada "Where does Ada live?"',
    'run agent_01k4qz0000e0080000000000ab "And who else?" --session session_01k4qz0000e0080000000000ab',
    'run Ada "Count to ten" --json'
  )
}

async function run(agent: string, message: string, { session, json = false, ...wanted }: Options) {
  await withPlatform({ ...wanted, minutes: MINUTES, endsItself: true }, async (client) => {
    const agentId = await unlessInterrupted(idOf(client, agent))
    const messages = [{ role: 'user' as const, content: message }]
    const request = { agentId, messages, ...(session && { sessionId: session }) }
    await follow(client, request, json ? printEvent : createPrinter())
  })
}

/** Of the one agent that is called so. */
async function idOf(client: Client, agent: string): Promise<string> {
  if (typeOfId(agent) === 'agent') return agent
  const called = (await listAgents(client)).filter(({ name }) => name === agent)
  const [first] = called
  if (!first) throw new Error(`No agent is called ${agent}: \`agents list\` shows them`)
  if (called.length > 1)
    throw new Error(`${called.length} agents are called ${agent}: ${called.map(({ id }) => id).join(', ')}`)
  return first.id
}

type Request = Parameters<Client['runs']['stream']>[0]

/** Until the run has ended; when it is interrupted, the run is cancelled. */
async function follow(client: Client, request: Request, print: (event: RunEvent) => void): Promise<void> {
  const leave = new AbortController()
  const stream = client.runs.stream(request, { idempotencyKey: randomUUID(), signal: leave.signal })
  const events = stream[Symbol.asyncIterator]()
  let coming = events.next()
  try {
    for (;;) {
      const { done, value } = await unlessInterrupted(coming)
      if (done) return
      print(value)
      coming = events.next()
    }
  } finally {
    if (interrupted.aborted) {
      const known = stream.runId === undefined ? coming.catch(() => undefined) : undefined
      await Promise.race([known, delay(KNOWN_MS, undefined, { ref: false })])
      if (stream.runId !== undefined) await cancel(client, stream.runId)
    }
    coming.catch(() => undefined)
    leave.abort()
  }
}

const cancel = (client: Client, runId: string) =>
  client
    .post('/v1/agents/runs/{runId}/cancel', { params: { path: { runId } } })
    // It has ended meanwhile.
    .catch((error: Error & { status?: number }) => {
      if (error.status !== 409) note(`${runId} could not be cancelled: ${error.message}`)
    })

function printEvent(event: RunEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`)
  refuseFailed(event)
}

/** Prints the answer alone, as it comes, and a line end behind it. */
function createPrinter() {
  const { stdout } = process
  let begun = false
  const print = (text: string) => {
    if (text === '') return
    stdout.write(stdout.isTTY ? harmless(text) : text)
    begun = !text.endsWith('\n')
  }
  const endLine = () => {
    if (begun) stdout.write('\n')
    begun = false
  }
  return (event: RunEvent): void => {
    if (event.type === 'token' && event.phase === 'final_answer') print(event.content)
    // What it said before it called tools stands by itself.
    else if (event.type !== 'token') endLine()
    if (event.type === 'status' && event.status === 'restarted') note('The answer restarts:')
    refuseFailed(event)
  }
}

/** A run that ended otherwise than well is this command's failure. */
function refuseFailed(event: RunEvent): void {
  if (event.type === 'cancelled') throw new Error('The run was cancelled')
  if (event.type === 'error') throw new Error(`The run failed: ${event.message} (${event.code})`)
}
