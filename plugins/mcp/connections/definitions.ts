import { depthOf } from 'agent-platform'
import type { Found } from '../stores/resources-prompts.ts'
import type { Definition } from '../stores/tools.ts'
import { plain } from './faults.ts'
import { inTurns } from './turns.ts'

/** Characters of one definition, and of all of a server's; and how deep one may be. */
const MOST_CHARACTERS = 65_536
const MOST_IN_ALL = 4_194_304
const MOST_DEPTH = 32
const MOST_TEXT = 10_000

/** Of a list, as its server says it. */
export type Item = Readonly<Record<string, unknown>> & { readonly name: string }

/** Goes through the lists of one server: what cannot be kept is refused, and so is what was there already. */
export function createKeeping(refuse: (what: string) => void) {
  let characters = 0
  let isFull = false

  /** For the pages of one list, of which each item has that key. */
  function ofList<T>(key: string, make: (item: Item) => T) {
    const seen = new Set<unknown>()
    return async (items: readonly Item[]): Promise<T[]> => {
      const kept: T[] = []
      for await (const item of inTurns(items)) {
        const size = sizeOf(item)
        const fault = seen.has(item[key]) ? 'it is listed twice' : faultOf(item, key, size)
        seen.add(item[key])
        if (fault === undefined) {
          characters += size
          kept.push(make(item))
        } else refuse(`${plain(String(item[key])).slice(0, 100)}: ${fault}`)
      }
      return kept
    }
  }

  function faultOf(item: Item, key: string, size: number): string | undefined {
    const name = item[key]
    if (typeof name !== 'string' || name === '' || name.length > 2_000) return 'its name is not valid'
    if (/\p{Cc}/u.test(name)) return 'its name is not valid'
    if (size === Number.POSITIVE_INFINITY) return 'its definition is too deep'
    if (size > MOST_CHARACTERS) return 'its definition is too large'
    isFull ||= characters + size > MOST_IN_ALL
    if (isFull) return 'the definitions of its server are too large together'
    return isStorable(item) ? undefined : 'its definition has characters that are none'
  }

  return { ofList, isFull: () => isFull }
}

/** Characters, as JSON; infinite for what is too deep. */
const sizeOf = (item: Item): number =>
  depthOf(item, MOST_DEPTH) > MOST_DEPTH ? Number.POSITIVE_INFINITY : JSON.stringify(item).length

/** NUL and halves of characters: the database takes neither. */
const isStorable = (item: Item): boolean => !/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(item))

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, MOST_TEXT).toWellFormed() : undefined
/** Without what is undefined. */
const tidy = <T extends object>(it: T): T => JSON.parse(JSON.stringify(it))

export const toolOf = (item: Item): Definition =>
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

export const resourceOf = (item: Item): Found => ({
  key: item.uri as string,
  definition: tidy({
    ...described(item),
    type: 'resource',
    mimeType: text(item.mimeType),
    size: Number.isSafeInteger(item.size) ? item.size : undefined
  })
})
export const templateOf = (item: Item): Found => ({
  key: item.uriTemplate as string,
  definition: tidy({ ...described(item), type: 'template', mimeType: text(item.mimeType) })
})
export const promptOf = (item: Item): Found => ({
  key: item.name,
  definition: tidy({ ...described(item), arguments: item.arguments ?? [] })
})
