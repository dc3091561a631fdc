import type { Principal } from 'agent-platform'
import { notFound } from 'agent-platform'
import type { OutputItem } from '../protocol/response.ts'
import type { Exchange, ExchangeStore } from '../stores/exchanges.ts'

type Item = Readonly<Record<string, unknown>>

/** `msg_<id of its response without resp_>_<index>`, as this pack makes them. */
function responseIdOf(itemId: string): string | undefined {
  const parts = itemId.split('_')
  return parts.length === 3 && (parts[0] === 'msg' || parts[0] === 'fc') ? `resp_${parts[1]}` : undefined
}

/**
 * Items in place of references to them (`item_reference`): items of stored responses of the caller. 404 as with OpenAI for any
 * other, also for one of someone else.
 */
export async function resolved(
  by: Principal,
  items: readonly Item[],
  exchangeStore: Pick<ExchangeStore, 'find'>,
  outputOf: (exchange: Exchange) => Promise<readonly OutputItem[]>
): Promise<readonly Item[]> {
  if (!items.some(isReference)) return items
  const outputs = new Map<string, Promise<readonly OutputItem[]>>()

  async function read(responseId: string): Promise<readonly OutputItem[]> {
    const found = await exchangeStore.find(responseId)
    const isThere = found?.kind === 'response' && found.stored
    return isThere && found.project === by.project && found.owner === by.owner ? outputOf(found) : []
  }

  async function itemOf(item: Item, index: number): Promise<Item> {
    if (!isReference(item)) return item
    const id = typeof item.id === 'string' ? item.id : ''
    const responseId = responseIdOf(id)
    if (responseId !== undefined && !outputs.has(responseId)) outputs.set(responseId, read(responseId))
    const output = responseId === undefined ? [] : await outputs.get(responseId)
    const found = output?.find((it) => it.id === id)
    if (!found) throw notFound(`Item with id '${id.slice(0, 100)}'`, { param: `/input/${index}` })
    return { ...found }
  }

  const all: Item[] = []
  for (const [index, item] of items.entries()) all.push(await itemOf(item, index))
  return all
}

/** Clients may leave the type out. */
const isReference = (item: Item): boolean =>
  item.type === 'item_reference' ||
  (item.type === undefined && item.role === undefined && typeof item.id === 'string')
