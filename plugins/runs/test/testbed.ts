import { join } from 'node:path'
import type { Kernel } from 'agent-platform'
import type { Booted } from '../../../test/boot.ts'
import type { Client, Reply } from '../../../test/client.ts'
import { connect } from '../../../test/frames.ts'
import type { ModelServer } from '../../../test/model-server.ts'
import type { StageOptions } from '../../../test/model-stage.ts'
import { stage } from '../../../test/model-stage.ts'
import { packText, temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import type { CitationSource, ContextSource, Gate, RunInfo, Runs, Tool } from '../contract.ts'
import type { Event } from './testbed-events.ts'
import { eventsOf } from './testbed-events.ts'

export { scripted, stage } from '../../../test/model-stage.ts'
export * from './testbed-events.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** The built-in model, which does what its user's messages tell it to. */
export const local = { modelProvider: 'local' }

/** The body of a run. */
export const saying = (agent: { id: string }, content: string, fields: object = {}) => ({
  agentId: agent.id,
  messages: [{ role: 'user', content }],
  ...fields
})

export const RUN = '/v1/agents/run'
export const STREAM = '/v1/agents/run/stream'
export const ANSWER = '/v1/agents/cli-tool-result'

/** Runs an agent to its end. */
export const run = (
  client: Client,
  agent: { id: string },
  content: string,
  fields: object = {},
  headers?: Record<string, string>
): Promise<Reply> => client.post(RUN, saying(agent, content, fields), headers)

/** The whole stream of a run. */
export async function streamed(
  client: Client,
  agent: { id: string },
  content: string,
  fields: object = {},
  headers?: Record<string, string>
) {
  const reply = await client.post(STREAM, saying(agent, content, fields), headers)
  return { ...reply, runId: reply.headers.get('x-run-id') ?? '', events: eventsOf(reply.text) }
}

/** A stream that is read event by event: a run that begins with `body`, or one that is followed. */
export async function listen({ url }: Booted, client: Client, path: string, body?: object, headers = {}) {
  const authorization = `Bearer ${await client.key()}`
  const { response, frame, close } = await connect(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization, ...headers },
    ...(body && { body })
  })
  const heard: Event[] = []
  async function next(): Promise<Event | undefined> {
    const text = await frame()
    if (text === undefined) return undefined
    const event: Event = JSON.parse(text.slice(text.indexOf('data: ') + 6))
    heard.push(event)
    return event
  }
  return {
    status: response.statusCode,
    runId: String(response.headers['x-run-id'] ?? ''),
    /** All events so far. */
    heard,
    /** The next event of that type, or with that status; throws when the stream ends before. */
    async until(what: string): Promise<Event> {
      for (let event = await next(); event; event = await next())
        if (event.type === what || event.status === what) return event
      throw new Error(`The stream ended without ${what}: ${JSON.stringify(heard)}`)
    },
    async rest(): Promise<Event[]> {
      while (await next());
      return heard
    },
    close
  }
}

/** What the pack `puppet` contributes to runs: whatever the test says at the time. */
export interface Play {
  tools?(run: RunInfo): readonly Tool[]
  context?: ContextSource['context']
  admit?: Gate['admit']
  step?: Gate['step']
  cite?: CitationSource['cite']
  /** Serves `computerRequest`. */
  computer?(run: RunInfo): unknown
}

/** What the pack `puppet` was given. */
export interface Given extends Pick<Kernel, 'principals'> {
  readonly runs: Runs
}

const puppetText = packText(
  'puppet',
  `uses: ['runs'],
  start: async ({ runs, principals }) => { globalThis[Symbol.for('test.runs.given')] = { runs, principals } },
  contributes: {
    'runs.tools': [{ make: () => ({ offer: async (run) => play().tools?.(run) ?? [] }) }],
    'runs.context': [{ make: () => ({ context: async (run, input) => play().context?.(run, input) }) }],
    'runs.citations': [{ make: () => ({ cite: async (run, content) => play().cite?.(run, content) ?? [] }) }],
    'runs.request': [{ key: 'computerRequest', make: () => ({ accept: async (run) => void (await play().computer?.(run)) }) }],
    'runs.gate': [{
      make: () => ({ admit: async (run) => play().admit?.(run), step: async (run) => play().step?.(run) })
    }]
  }`,
  `const play = () => globalThis[Symbol.for('test.runs.play')] ?? {}`
)

/** A stage with that pack on it. */
export async function puppetStage(t: Scope, options: StageOptions = {}) {
  const folder = await temporaryFolder(t)
  await writeFiles(join(folder, 'puppet'), { 'pack.ts': puppetText })
  const play: Play = {}
  Object.assign(globalThis, { [Symbol.for('test.runs.play')]: play })
  const staged = await stage(t, {
    ...options,
    folders: [folder],
    packs: ['puppet', ...(options.packs ?? [])]
  })
  const { [Symbol.for('test.runs.given')]: given } = globalThis as unknown as Record<symbol, Given>
  return { ...staged, play, ...(given as Given) }
}

export const tool = (name: string, call: Tool['call'], fields: Partial<Tool> = {}): Tool => ({
  name,
  description: `Does ${name}`,
  parameters: { type: 'object' },
  idempotent: false,
  call,
  ...fields
})

/** The messages of a session, the oldest first. */
export async function messagesOf(
  client: Client,
  sessionId: string
): Promise<{ role: string; content: string; runId: string }[]> {
  return (await client.get(`/v1/sessions/${sessionId}/full`)).body.data.messages
}

/** The run once it is as wanted; the test's own timeout is the limit. */
export async function runOnce(
  client: Client,
  runId: string,
  wanted: (reply: Reply) => boolean
): Promise<Reply> {
  for (;;) {
    const reply = await client.get(`/v1/agents/runs/${runId}`)
    if (wanted(reply)) return reply
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** What the model's server was told of that agent. */
export const askedOf = ({ requests }: ModelServer, { modelId }: { modelId?: string | null }) =>
  requests.map(({ body }) => body).filter(({ model }) => model === modelId)

/** What tools gave, as the model's server was told last: each between the marks of what comes from outside. */
export const resultsTold = (server: ModelServer): (string | undefined)[] =>
  askedLast(server)
    .messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => /^<untrusted>\n([\s\S]*)\n<\/untrusted>$/.exec(String(content))?.[1])

/** What the model's server was told last. */
export const askedLast = ({ requests }: ModelServer) => {
  const last = requests.at(-1)
  if (!last) throw new Error('The model was not asked')
  return last.body
}
