import type { RequestOptions } from '@modelcontextprotocol/client'
import { upstreamFailed, upstreamTimeout } from 'agent-platform'
import type { Found } from '../stores/resources-prompts.ts'
import type { Definition } from '../stores/tools.ts'
import type { Connection } from './connection.ts'
import type { Item } from './definitions.ts'
import { createKeeping, promptOf, resourceOf, templateOf, toolOf } from './definitions.ts'
import { refusalOf } from './faults.ts'

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
type Keep<T> = (items: readonly Item[]) => Promise<T[]>
type List = 'tools' | 'resources' | 'resourceTemplates' | 'prompts'
const methods = {
  tools: 'tools/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
  prompts: 'prompts/list'
} as const

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
  const { ofList, isFull } = createKeeping(refuse)

  return exchanges.run({ seconds, late }, async ({ signal }) => {
    const options = { signal, timeout: seconds * 1_000 }
    const all = async <T>(list: List, keep: Keep<T>, most: number) => {
      const { kept, isCut } = await listAll(list, keep, most, options)
      if (isCut) refuse(`${list}: more than ${most} were listed`)
      return kept
    }
    // What a server cannot list after all, it does not have; but tools that cannot be listed are not gone.
    const maybe = <T>(list: List, keep: Keep<T>, most: number) =>
      all(list, keep, most).catch((error): T[] => {
        if (!refusalOf(error)) throw error
        refuse(`${list}: the server refuses to list them`)
        return []
      })
    return {
      tools: tools ? await all('tools', ofList('name', toolOf), MOST_TOOLS) : [],
      resources: resources
        ? [
            ...(await maybe('resources', ofList('uri', resourceOf), MOST_RESOURCES)),
            ...(await maybe('resourceTemplates', ofList('uriTemplate', templateOf), MOST_RESOURCES))
          ].slice(0, MOST_RESOURCES)
        : [],
      prompts: prompts ? await maybe('prompts', ofList('name', promptOf), MOST_PROMPTS) : [],
      refused
    }
  })

  /** Pages until there are no more, or nothing more is kept; pages that go in a circle are a fault. */
  async function listAll<T>(list: List, keep: Keep<T>, most: number, options: RequestOptions) {
    const kept: T[] = []
    const seen = new Set<string>()
    let cursor: string | undefined
    for (let page = 0, listed = 0; page < MOST_PAGES && listed <= most && !isFull(); page++) {
      const params = cursor === undefined ? {} : { params: { cursor } }
      const reply = await client.request({ method: methods[list], ...params }, options)
      const items = (reply as Readonly<Record<string, unknown>>)[list] as Item[]
      kept.push(...(await keep(items.slice(0, most - listed))))
      listed += items.length
      cursor = reply.nextCursor
      if (cursor === undefined) return { kept, isCut: listed > most }
      if (seen.has(cursor)) throw upstreamFailed(`${server} lists its ${list} in a circle`)
      seen.add(cursor)
    }
    return { kept, isCut: !isFull() }
  }
}
