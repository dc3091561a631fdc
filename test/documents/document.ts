import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { Block } from './blocks.ts'
import { readBlocks } from './blocks.ts'
import { matchesJson, matchesText } from './outputs.ts'
import type { Place } from './terminals.ts'
import { openServer, openTerminal } from './terminals.ts'

interface Scope {
  teardown(work: () => unknown): unknown
  pass(name: string, extra: { skip?: string }): unknown
}
interface Options {
  /** Where its commands are run: a copy of the checkout. */
  readonly folder: string
  /** How long a command may take, and what serves to say what it should. */
  readonly patience?: number
  /** Where the document before left something that serves; the one behind finds what this one leaves. */
  readonly other?: OtherTerminal
}
export type OtherTerminal = Awaited<ReturnType<typeof createOtherTerminal>>

/** The port that documents name; the test has one of its own. */
const PORT = /(?<=(127\.0\.0\.1|localhost):)3000\b/g

/**
 * Does what a document says, block by block, as README.md beside this file explains. Rejects at the first line that
 * is not true, and names it.
 */
export async function follow(t: Scope, markdown: string, options: Options): Promise<void> {
  const { folder, patience, other = await createOtherTerminal(t, options) } = options
  const { port } = other
  const terminal = openTerminal({ folder, port, ...(patience !== undefined && { patience }) })
  t.teardown(terminal.close)
  let server: ReturnType<typeof openServer> | undefined
  let printed = ''

  async function obey(block: Block): Promise<void> {
    const text = block.text.replaceAll(PORT, String(port))
    switch (block.kind) {
      case 'commands':
        if (block.ends === 'never') {
          server = await other.serve(text, { again: server !== undefined })
        } else printed = await terminal.run(text, { fails: block.ends === 'badly' })
        return
      case 'output':
        if (block.of === 'server') await server?.shows(text)
        else if (!(block.json ? matchesJson : matchesText)(text, printed))
          throw new Error(`the output is another one:\n${printed}`)
        return
      case 'file':
        await mkdir(dirname(join(folder, block.path)), { recursive: true })
        return writeFile(join(folder, block.path), `${text}\n`)
      case 'change':
        return change(join(folder, block.path), text)
    }
  }

  for (const block of readBlocks(markdown)) {
    const what = `line ${block.line}: ${block.text.split('\n')[0]}`
    if (block.kind === 'skipped') {
      t.pass(what, { skip: block.why })
      continue
    }
    await obey(block).catch((error: Error) => {
      throw new Error(`line ${block.line}: ${error.message}\n\n${block.text}`, { cause: error })
    })
    t.pass(what, {})
  }
}

/** Replaces the lines of a diff that stand with ` ` and `-` by those with ` ` and `+`; they are there once. */
async function change(file: string, diff: string): Promise<void> {
  const lines = diff.split('\n').map((line) => ({ sign: line.charAt(0), text: line.slice(1) }))
  const odd = lines.find(({ sign }) => !['', ' ', '-', '+'].includes(sign))
  if (odd) throw new Error(`a line of a diff begins with a space, - or +: ${odd.sign}${odd.text}`)
  const without = (sign: string) =>
    lines
      .filter((line) => line.sign !== sign)
      .map(({ text }) => `${text}\n`)
      .join('')
  const before = await readFile(file, 'utf8')
  const found = before.split(without('+'))
  if (found.length !== 2) throw new Error(`these lines are there ${found.length - 1} times in\n${before}`)
  await writeFile(file, found.join(without('-')))
}

/** The terminal in which something serves, on a port of its own. It is left with the test. */
export async function createOtherTerminal(t: Pick<Scope, 'teardown'>, { folder, patience }: Options) {
  const port = await freePort()
  const place: Place = { folder, port, ...(patience !== undefined && { patience }) }
  let left: { readonly commands: string; readonly server: ReturnType<typeof openServer> } | undefined
  t.teardown(() => left?.server.leave())
  return {
    port,
    /** What serves by these commands: what does so already goes on, unless it is to begin again. */
    async serve(commands: string, { again }: { again: boolean }) {
      if (!again && left?.commands === commands && left.server.isServing()) left.server.rewind()
      else {
        await left?.server.leave()
        left = { commands, server: openServer(place, commands) }
      }
      return left.server
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
