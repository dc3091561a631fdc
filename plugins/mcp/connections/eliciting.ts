import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client'
import type { Answer } from '../../tools/contract.ts'
import type { Exchange } from './exchange.ts'
import { plain } from './faults.ts'

const MOST_FIELDS = 20
const MOST_CHARACTERS = 16_384

/**
 * What a server wants to know in the middle of a call, asked of those who follow the run; no other's question is
 * answered. A question that is not a form of simple fields is declined. `resume` is how the call goes on in another
 * process.
 */
export async function elicit(
  name: string,
  exchange: Exchange | undefined,
  params: ElicitRequestParams,
  resume?: unknown
): Promise<ElicitResult> {
  if (!exchange) return { action: 'cancel' }
  if (params.mode === 'url' || !('requestedSchema' in params)) return { action: 'decline' }
  const { message, requestedSchema: schema } = params
  const fields = Object.values(schema.properties)
  if (fields.length > MOST_FIELDS || JSON.stringify(schema).length > MOST_CHARACTERS)
    return { action: 'decline' }
  // It says whose question it is: the words are the server's.
  return resultOf(params, await exchange.ask({ message: `${name} asks: ${plain(message)}`, schema }, resume))
}

/** An answer as its server gets it: with the defaults of fields that were left out. */
export function resultOf(params: ElicitRequestParams, { action, content }: Answer): ElicitResult {
  if (action !== 'accept') return { action }
  const properties = 'requestedSchema' in params ? params.requestedSchema.properties : {}
  const defaults = Object.entries(properties as Record<string, { default?: unknown }>).flatMap(
    ([name, field]) => (field.default === undefined ? [] : [[name, field.default]])
  )
  return { action, content: { ...Object.fromEntries(defaults), ...content } as ElicitResult['content'] }
}
