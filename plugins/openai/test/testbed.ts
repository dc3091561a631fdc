import OpenAI from 'openai'
import type { Client } from '../../../test/client.ts'

/** The official client, as that principal; without its own tries, which a test wants to see. */
export const official = async (url: string, client: Client, base = '/openai/v1') =>
  new OpenAI({ baseURL: url + base, apiKey: await client.key(), maxRetries: 0 })

/** What it rejects with. */
export async function refusal(work: PromiseLike<unknown>) {
  try {
    await work
  } catch (error) {
    const { status, code, type, param, message } = error as InstanceType<typeof OpenAI.APIError>
    return { status, code, type, param, message }
  }
  throw new Error('It was not refused')
}

/** A tool of the client's. */
export const weather = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'The weather of a place',
    parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] }
  }
}
export const weatherTool = {
  type: 'function' as const,
  strict: false,
  ...weather.function
}
