import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../../kernel/deployment.ts'
import type { Booted, BootOptions } from '../boot.ts'
import { boot } from '../boot.ts'
import { createClient } from '../client.ts'
import { start } from '../packs/processes.ts'
import type { Place, Scope } from './place.ts'
import type { Reader, ReadOptions } from './reader.ts'
import { read } from './reader.ts'
import type { Story } from './story.ts'
import { storyteller } from './story.ts'
import { startTools } from './tools.ts'

/** A run that was begun, and who reads it. */
export interface Begun {
  readonly id: string
  readonly story: Story
  readonly reader: Reader
}

const packs = ['access', 'packs', 'agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs']

/** A platform that runs agents, a model and tools that remember what they were asked, and further instances. */
export async function town(t: Scope, options: BootOptions = {}) {
  const model = await storyteller(t)
  const tools = await startTools(t)
  const env = { OPENAI_COMPATIBLE_BASE_URL: model.url, ...options.env }
  const common = { packs: [...packs, ...tools.packs], folders: [tools.folder], ...options, env }
  const home = await boot(t, { ...common, ...(options.beside && { beside: options.beside }) })
  const ada = home.as('ada')
  const agent = await ada.agent({ modelProvider: 'openai-compatible', modelId: 'story' })
  const at = (url: string): Place => ({ url, client: createClient(url, 'ada', ada.key()) })

  /** Another instance, in this process. */
  async function beside(more: BootOptions = {}): Promise<Booted & Place> {
    const booted = await boot(t, { ...common, beside: home, ...more })
    return { ...booted, ...at(booted.url) }
  }

  /** An instance in a process of its own, with the packs of this one. */
  const spawn = () =>
    process(fileURLToPath(new URL('../packs/child.ts', import.meta.url)), {
      LOG_LEVEL: 'silent',
      STAGE_CONNECTION: JSON.stringify(home.connection),
      STAGE_DEPLOYMENT: JSON.stringify({
        folders: [join(root, 'plugins'), tools.folder],
        enabled: false,
        packs: Object.fromEntries(common.packs.map((name) => [name, { enabled: true }]))
      })
    })

  /** What a deployment starts; it has no tools. */
  function serve() {
    const { host = '', port = 5432, user = '', database, password } = home.connection
    const login = password === undefined ? user : `${user}:${encodeURIComponent(String(password))}`
    const url = `postgres://${login}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
    return process('process/main.ts', { DATABASE_URL: url, DEPLOYMENT: 'test' })
  }

  async function process(file: string, more: Readonly<Record<string, string>>) {
    const running = await start(t, file, { PLATFORM_LIMIT_PER_MINUTE: '1000000', ...env, ...more })
    await running.ready
    return { ...running, ...at(running.url) }
  }

  let count = 0
  /** A story of its own name; without further fields a short answer. */
  const story = (fields: Partial<Story> = {}): Story => ({
    name: `story ${++count}`,
    calls: [],
    words: 10,
    pace: 4,
    ...fields
  })

  const bodyOf = (told: Story, fields: object = {}) => ({
    agentId: agent.id,
    messages: [{ role: 'user', content: JSON.stringify(told) }],
    ...fields
  })

  /** Begins a run on an instance, and reads it there, or elsewhere once that is gone. */
  async function begin(
    place: Place,
    told: Story,
    fields: object = {},
    options: Pick<ReadOptions, 'elsewhere' | 'away'> = {}
  ): Promise<Begun> {
    const reader = await read(t, place, { body: bodyOf(told, fields), ...options })
    return { id: reader.runId, story: told, reader }
  }

  return { home, ...at(home.url), at, agent, model, tools, beside, spawn, serve, story, bodyOf, begin }
}
export type Town = Awaited<ReturnType<typeof town>>
