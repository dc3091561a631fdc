import type { ServerResponse } from 'node:http'
import type { Reply } from './script.ts'

/** Four characters are a token of the prompt. */
export function usageOf({ body, script, speech, calls }: Omit<Reply, 'said' | 'cut'>) {
  let characters = 0
  for (const { content } of body.messages)
    characters += typeof content === 'string' ? content.length : JSON.stringify(content ?? '').length
  const prompt = Math.max(1, Math.ceil(characters / 4))
  const completion = script.reasoning + (calls.length > 0 ? calls.length : speech.count)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: script.cached },
    completion_tokens_details: { reasoning_tokens: script.reasoning }
  }
}

/** A reply that is not streamed. */
export function whole(response: ServerResponse, reply: Reply): void {
  const { id, body, script, speech, calls } = reply
  reply.said(speech.count)
  let text = ''
  for (let i = 0; i < speech.count; i++) text += speech.token(i)
  const message =
    calls.length > 0
      ? {
          content: null,
          tool_calls: calls.map(({ id, name, args }) => ({
            id,
            type: 'function',
            function: { name, arguments: args }
          }))
        }
      : { content: text }
  sendJson(response, 200, {
    id,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: body.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', ...message },
        finish_reason: script.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')
      }
    ],
    ...(script.usage && { usage: usageOf(reply) })
  })
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {}
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
