import type { ServerResponse } from 'node:http'

interface Usage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
}

const events = (response: ServerResponse, deltas: readonly object[], finish: string, usage?: Usage): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (fields: object) =>
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })}\n\n`
    )
  for (const delta of deltas) send({ choices: [{ index: 0, delta, finish_reason: null }] })
  send({ choices: [{ index: 0, delta: {}, finish_reason: finish }] })
  if (usage) send({ choices: [], usage })
  response.end('data: [DONE]\n\n')
}

/** A reply with a text and no calls. */
export const sayText = (response: ServerResponse, text: string, usage?: Usage): void =>
  events(response, [{ content: text }], 'stop', usage)

/** A reply that calls one tool. */
export const callTool = (
  response: ServerResponse,
  id: string,
  name: string,
  args: object,
  usage?: Usage
): void =>
  events(
    response,
    [
      {
        tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }]
      }
    ],
    'tool_calls',
    usage
  )
