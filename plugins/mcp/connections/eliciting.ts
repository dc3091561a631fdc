import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client'
import type { Exchange } from './exchange.ts'
import { plain } from './faults.ts'

const MOST_FIELDS = 20
const MOST_CHARACTERS = 16_384

/**
 * What a server wants to know in the middle of a call, asked of whoever follows the run; nobody else's question is
 * answered. A question that is not a form of simple fields is declined.
 */
export async function elicit(
  name: string,
  exchange: Exchange | undefined,
  params: ElicitRequestParams
): Promise<ElicitResult> {
  if (!exchange) return { action: 'cancel' }
  if (params.mode === 'url' || !('requestedSchema' in params)) return { action: 'decline' }
  const { message, requestedSchema: schema } = params
  const fields = Object.values(schema.properties)
  if (fields.length > MOST_FIELDS || JSON.stringify(schema).length > MOST_CHARACTERS)
    return { action: 'decline' }
  // It is told whose question it is: the words are the server's.
  const { action, content } = await exchange.ask({ message: `${name} asks: ${plain(message)}`, schema })
  return action === 'accept' ? { action, content: { ...content } as ElicitResult['content'] } : { action }
}
