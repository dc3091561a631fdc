import type { Principal } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Output, StaticTool } from '../../tools/contract.ts'
import type { Browsing } from '../browser/browsing.ts'
import type { OpenPage } from '../schemas/browser.ts'
import type { NewCommand } from '../schemas/commands.ts'
import type { ReadQuery, WriteFiles } from '../schemas/files.ts'
import type { CommandService } from '../services/commands.ts'
import { isOff } from '../services/computers.ts'
import type { FileService } from '../services/files.ts'
import type { ComputerRow, ComputerStore } from '../stores/computers.ts'
import { descriptions, parameters } from './descriptions.ts'

export type ComputerTools = ReturnType<typeof createComputerTools>
export type ToolName = keyof typeof descriptions

/** Of each output, in what a model is given. */
const CHARACTERS = 30_000
const READ_BYTES = 60_000

interface Deps {
  agents: Agents
  computerStore: ComputerStore
  commandService: CommandService
  fileService: FileService
  browsing: Browsing
}
interface Acting {
  readonly by: Principal
  readonly agentId: string
  readonly args: unknown
  readonly signal?: AbortSignal
}
type Act = (row: ComputerRow, acting: Acting) => Promise<Output>

/** What agents do with their own computers. What comes out of one is marked as untrusted, as all that tools return. */
export function createComputerTools(deps: Deps) {
  const { agents, computerStore, commandService, fileService, browsing } = deps

  /** Of the agent that acts, for one who may run it: the tool was given to it by its owner. */
  async function computerOf({ by, agentId }: Acting): Promise<ComputerRow> {
    const { project } = await agents.owned(by, agentId, 'run')
    const row = await computerStore.find({ project, agentId })
    if (!row?.enabled) throw isOff()
    return row
  }

  const acts: Record<ToolName, Act> = {
    async computer_exec(row, { by, args, signal }) {
      const ended = await commandService.perform(by, row, args as NewCommand, 'tool', signal)
      const { status, exitCode, signal: killed, reason, stdout, stderr, stdoutFile, stderrFile } = ended
      const about = { status, exitCode, ...(killed && { signal: killed }), ...(reason && { reason }) }
      const files = { ...(stdoutFile && { stdoutFile }), ...(stderrFile && { stderrFile }) }
      return { output: { ...about, stdout: cut(stdout), stderr: cut(stderr), ...files } }
    },
    async computer_read(row, { by, args }) {
      const asked = args as ReadQuery
      const most = Math.min(asked.length ?? READ_BYTES, READ_BYTES)
      const { path, type, size, content, encoding, entries, nextOffset } = await fileService.readAt(by, row, {
        ...asked,
        length: most
      })
      const names = entries?.map((it) => `${it.name}${it.type === 'folder' ? '/' : ''}`)
      if (encoding === 'base64' && asked.encoding !== 'base64')
        return { output: { path, size, note: 'It is no text; read it with encoding base64' } }
      return { output: { path, type, size, nextOffset, ...(names ? { entries: names } : { content }) } }
    },
    computer_write: async (row, { by, args }) => ({
      output: await fileService.writeAt(by, row, args as WriteFiles)
    }),
    browser_open: async (row, { by, args }) => seen(await browsing.openAt(by, row, args as OpenPage)),
    browser_act: async (row, { by, args }) => seen(await browsing.openAt(by, row, args as OpenPage))
  }

  const act = async (name: ToolName, acting: Acting): Promise<Output> => {
    try {
      return await acts[name](await computerOf(acting), acting)
    } catch (error) {
      // What is meant for the caller is told to the model; anything else is a fault of ours.
      if (error instanceof Error && 'kind' in error) return { output: error.message, isError: true }
      throw error
    }
  }

  return {
    act,
    staticTool: (name: ToolName): StaticTool => ({
      description: descriptions[name],
      parameters: parameters[name],
      idempotent: name === 'computer_read',
      timeoutSeconds: 600,
      call: ({ by, agentId, args, signal }) => act(name, { by, agentId, args, signal })
    })
  }
}

function seen({ text, tree, ...page }: Awaited<ReturnType<Browsing['openAt']>>): Output {
  return { output: { ...page, text: cut(text), tree: cut(tree) }, isError: page.failed !== null }
}

const cut = (text: string): string =>
  text.length <= CHARACTERS
    ? text
    : `${text.slice(0, CHARACTERS).toWellFormed()}\n… (${text.length - CHARACTERS} characters more)`
