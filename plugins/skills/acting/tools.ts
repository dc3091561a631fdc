import type { Kernel } from 'agent-platform'
import type { RunInfo, Tool, ToolResult, ToolSource } from '../../runs/contract.ts'
import type { SkillFile } from '../schemas/definition.ts'
import type { Skill } from '../schemas/skills.ts'
import { skills } from '../schemas/skills.ts'
import type { GivenSkills } from '../services/given-skills.ts'
import type { SkillSettings } from '../settings.ts'
import type { AttachmentStore } from '../stores/attachments.ts'
import type { FileStore } from '../stores/files.ts'
import { textOf } from './prompt.ts'

interface Deps extends Pick<Kernel, 'knex'> {
  settings: SkillSettings
  givenSkills: GivenSkills
  attachmentStore: AttachmentStore
  fileStore: FileStore
}

/** Characters of a file that one call gives. */
const PART = 40_000
/** Names that are told where one is wrong. */
const NAMES = 50

const skill = { type: 'string', description: 'Its name, as your list of skills has it' }
const loading: Omit<Tool, 'call'> = {
  name: 'load_skill',
  description:
    'Load one of your skills: its instructions stand in your prompt from then on, for the rest of this conversation.',
  parameters: { type: 'object', properties: { skill }, required: ['skill'], additionalProperties: false },
  idempotent: true,
  tokens: 'hosts'
}
const reading: Omit<Tool, 'call'> = {
  name: 'read_skill_file',
  description: 'Read a text file of one of your skills. Nothing is executed by it, scripts neither.',
  parameters: {
    type: 'object',
    properties: {
      skill,
      path: { type: 'string', description: 'As the skill names it' },
      offset: {
        type: 'integer',
        minimum: 0,
        description: 'Where to go on: the nextOffset of the part before'
      }
    },
    required: ['skill', 'path'],
    additionalProperties: false
  },
  idempotent: true,
  tokens: 'hosts'
}

const failed = (output: string): ToolResult => ({ output, isError: true })
const isText = (value: unknown): value is string => typeof value === 'string'

/** Offered to agents that have skills. What they read is what the agent has at that moment. */
export function createSkillTools({
  knex,
  settings,
  givenSkills,
  attachmentStore,
  fileStore
}: Deps): ToolSource {
  /** By slug, or by a name that one of them alone has. */
  async function find(
    { project, agentId }: RunInfo,
    wanted: unknown
  ): Promise<(Skill & { project: string }) | string> {
    const given = await givenSkills.of(project, agentId)
    const named = given.filter(({ name }) => name === wanted)
    const one = given.find(({ slug }) => slug === wanted) ?? (named.length === 1 ? named[0] : undefined)
    const isStill = one && (await attachmentStore.findAttached(project, agentId, one.id))
    const found = isStill ? await skills.find(knex, one.id) : undefined
    return found ?? `You have no skill of that name, but: ${given.map(({ slug }) => slug).join(', ')}`
  }

  async function load(run: RunInfo, args: { skill?: unknown }): Promise<ToolResult> {
    const found = await find(run, args.skill)
    if (isText(found)) return failed(found)
    const { id: skillId, slug, files } = found
    if (textOf(found).length > settings.skillLoadedCharacters)
      return failed(
        `${slug} is longer than the ${settings.skillLoadedCharacters} characters that may be loaded`
      )
    const { project, owner, sessionId, agentId } = run
    await attachmentStore.insertLoaded({ project, owner, sessionId, agentId, skillId })
    const note = `Its instructions stand in your prompt now, between <skill name="${slug}"> and </skill>.`
    return { output: { skill: slug, files: files.map(({ path }) => path), note } }
  }

  async function read(
    run: RunInfo,
    args: { skill?: unknown; path?: unknown; offset?: unknown }
  ): Promise<ToolResult> {
    const found = await find(run, args.skill)
    if (isText(found)) return failed(found)
    const file = found.files.find(({ path }) => path === args.path)
    if (!file) return failed(`${found.slug} has no such file${listOf(found.files)}`)
    if (file.encoding === 'base64')
      return failed(
        `${file.path} is no text (${file.size} bytes): it is of use only where an agent has a computer, and cannot be read`
      )
    const content = (await fileStore.find(found.project, found.id, file.sha256))?.toString() ?? ''
    const from = typeof args.offset === 'number' ? args.offset : 0
    const to = endOf(content, from)
    const part = {
      path: file.path,
      content: content.slice(from, to),
      nextOffset: to < content.length ? to : null
    }
    return { output: isScript(file) ? { ...part, note: NOT_EXECUTED } : part }
  }

  return {
    async offer(run) {
      const given = await givenSkills.of(run.project, run.agentId)
      if (given.length === 0) return []
      return [
        { ...loading, call: ({ run, args }) => load(run, args as object) },
        { ...reading, call: ({ run, args }) => read(run, args as object) }
      ]
    }
  }
}

const NOT_EXECUTED =
  'A script: it is not executed here. Scripts run only where an agent has a computer of its own.'

const isScript = ({ path, executable }: SkillFile) => executable || path.startsWith('scripts/')

const listOf = (files: readonly SkillFile[]): string =>
  files.length === 0
    ? ', and no others'
    : `, but: ${files
        .slice(0, NAMES)
        .map(({ path }) => path)
        .join(', ')}`

/** Where a part ends: not within a character. */
function endOf(text: string, from: number): number {
  const to = from + PART
  return to < text.length && /[\uD800-\uDBFF]/.test(text[to - 1] ?? '') ? to - 1 : to
}
