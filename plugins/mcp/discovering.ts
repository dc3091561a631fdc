import type { RequestOptions } from '@modelcontextprotocol/client'
import { upstreamFailed, upstreamTimeout } from 'agent-platform'
import type { Connection } from './connections/connection.ts'
import { plain, refusalOf } from './connections/faults.ts'
import { depthOf } from './depth.ts'
import type { Found } from './stores/readings.ts'
import type { Definition } from './stores/tools.ts'

/** What a server says it offers, as far as it can be kept. */
export interface Discovered {
  readonly tools: readonly Definition[]
  readonly resources: readonly Found[]
  readonly prompts: readonly Found[]
  /** What was left out, and why. */
  readonly refused: readonly string[]
}

const MOST_TOOLS = 512
const MOST_RESOURCES = 1_000
const MOST_PROMPTS = 512
const MOST_PAGES = 64
const MOST_REFUSED = 20
/** Characters of one definition, and how deep it may be. */
const MOST_CHARACTERS = 65_536
const MOST_DEPTH = 32
const MOST_TEXT = 10_000

type List = 'tools' | 'resources' | 'resourceTemplates' | 'prompts'
const methods = {
  tools: 'tools/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
  prompts: 'prompts/list'
} as const
type Item = Readonly<Record<string, unknown>> & { readonly name: string }

/** Asks for everything, within the bounds of what one server may have. */
export async function discover(
  { client, exchanges }: Connection,
  server: string,
  seconds: number
): Promise<Discovered> {
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {}
  const refused: string[] = []
  const refuse = (what: string) => {
    if (refused.length < MOST_REFUSED) refused.push(what)
  }
  const late = () => upstreamTimeout(`${server} did not list what it offers in time`)

  return exchanges.run({ seconds, late }, async ({ signal }) => {
    const options = { signal, timeout: seconds * 1_000 }
    const listed = async (list: List, most: number) => {
      const { items, isCut } = await listAll(list, most, options)
      if (isCut) refuse(`${list}: more than ${most} were listed`)
      return items
    }
    // What a server cannot list after all, it does not have; but tools that cannot be listed are not gone.
    const maybe = (list: List, most: number) =>
      listed(list, most).catch((error): Item[] => {
        if (!refusalOf(error)) throw error
        refuse(`${list}: the server refuses to list them`)
        return []
      })
    const all = resources ? (await maybe('resources', MOST_RESOURCES)).flatMap(only('uri', resourceOf)) : []
    const templates = resources ? await maybe('resourceTemplates', MOST_RESOURCES) : []
    return {
      tools: tools ? (await listed('tools', MOST_TOOLS)).flatMap(only('name', soundTool)) : [],
      resources: [...all, ...templates.flatMap(only('uriTemplate', templateOf))].slice(0, MOST_RESOURCES),
      prompts: prompts ? (await maybe('prompts', MOST_PROMPTS)).flatMap(only('name', promptOf)) : [],
      refused
    }
  })

  /** Pages until there are no more; a server whose pages never end is told to be one. */
  async function listAll(list: List, most: number, options: RequestOptions) {
    const items: Item[] = []
    const seen = new Set<string>()
    let cursor: string | undefined
    for (let page = 0; page < MOST_PAGES && items.length <= most; page++) {
      const params = cursor === undefined ? {} : { params: { cursor } }
      const reply = await client.request({ method: methods[list], ...params }, options)
      items.push(...((reply as Readonly<Record<string, unknown>>)[list] as Item[]))
      cursor = reply.nextCursor
      if (cursor === undefined) return { items: items.slice(0, most), isCut: items.length > most }
      if (seen.has(cursor)) throw upstreamFailed(`${server} lists its ${list} in a circle`)
      seen.add(cursor)
    }
    return { items: items.slice(0, most), isCut: true }
  }

  /** Leaves out what cannot be kept, and what was there already. */
  function only<T>(key: string, make: (item: Item) => T) {
    const seen = new Set<unknown>()
    return (item: Item): T[] => {
      const fault = seen.has(item[key]) ? 'it is listed twice' : faultOf(item, key)
      seen.add(item[key])
      if (fault === undefined) return [make(item)]
      refuse(`${plain(String(item[key])).slice(0, 100)}: ${fault}`)
      return []
    }
  }
}

function faultOf(item: Item, key: string): string | undefined {
  const name = item[key]
  if (typeof name !== 'string' || name === '' || name.length > 2_000) return 'its name is not valid'
  if (/\p{Cc}/u.test(name)) return 'its name is not valid'
  if (depthOf(item, MOST_DEPTH) > MOST_DEPTH) return 'its definition is too deep'
  const text = JSON.stringify(item)
  if (text.length > MOST_CHARACTERS) return 'its definition is too large'
  // NUL and halves of characters: the database takes neither.
  return /\\u(?:0000|d[89a-f])/i.test(text) ? 'its definition has characters that are none' : undefined
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, MOST_TEXT).toWellFormed() : undefined
/** Without what is undefined. */
const tidy = <T extends object>(it: T): T => JSON.parse(JSON.stringify(it))

const soundTool = (item: Item): Definition =>
  tidy({
    name: item.name,
    title: text(item.title) ?? text((item.annotations as { title?: unknown } | undefined)?.title),
    description: text(item.description),
    inputSchema: item.inputSchema as Definition['inputSchema'],
    outputSchema: item.outputSchema as Definition['outputSchema'],
    annotations: item.annotations as Definition['annotations']
  })

const described = (item: Item) => ({
  name: item.name,
  title: text(item.title),
  description: text(item.description)
})

const resourceOf = (item: Item): Found => ({
  key: item.uri as string,
  definition: tidy({
    ...described(item),
    type: 'resource',
    mimeType: text(item.mimeType),
    size: Number.isSafeInteger(item.size) ? item.size : undefined
  })
})
const templateOf = (item: Item): Found => ({
  key: item.uriTemplate as string,
  definition: tidy({ ...described(item), type: 'template', mimeType: text(item.mimeType) })
})
const promptOf = (item: Item): Found => ({
  key: item.name,
  definition: tidy({ ...described(item), arguments: item.arguments ?? [] })
})
