import type { CreateMessageRequestParams, CreateMessageResult } from '@modelcontextprotocol/client'
import { forbidden, invalid } from 'agent-platform'
import type { Models } from '../../models/contract.ts'
import type { Exchange } from '../connections/exchange.ts'
import type { ServerRow } from '../stores/servers.ts'

export type Sampling = ReturnType<typeof createSampling>

const MOST_TOKENS = 4_096
const MOST_A_CALL = 8
const MOST_CHARACTERS = 200_000

/** Lets a server ask the model of its project, in the middle of a call and for that call: who had it called pays. */
export function createSampling({ models }: { models: Models | undefined }) {
  const asked = new WeakMap<Exchange, number>()

  async function sample(
    { project }: ServerRow,
    exchange: Exchange | undefined,
    params: CreateMessageRequestParams
  ): Promise<CreateMessageResult> {
    const caller = exchange?.caller
    if (!models || !caller) throw forbidden('The model can be asked during a call only')
    const times = (asked.get(exchange) ?? 0) + 1
    if (times > MOST_A_CALL) throw forbidden('The model was asked too often in one call')
    asked.set(exchange, times)
    const { messages, systemPrompt, maxTokens, temperature, stopSequences } = params
    const said = messages.map(({ role, content }) => ({ role, text: textOf(content) }))
    if (said.reduce((sum, { text }) => sum + text.length, systemPrompt?.length ?? 0) > MOST_CHARACTERS)
      throw invalid('messages', 'The messages are too long')
    const model = await models.resolve(project, { modelProvider: null, modelId: null })
    const { by, agentId, run } = caller
    const asking = { by, agentId, runId: run?.id, sessionId: run?.sessionId, purpose: 'sampling' } as const
    const reply = await models.ask(asking, model, {
      prompt: [
        ...(systemPrompt === undefined ? [] : [{ role: 'system' as const, content: systemPrompt }]),
        ...said.map(({ role, text }) => ({ role, content: [{ type: 'text' as const, text }] }))
      ],
      maxOutputTokens: Math.min(maxTokens, MOST_TOKENS),
      ...(temperature !== undefined && { temperature }),
      ...(stopSequences && { stopSequences }),
      abortSignal: exchange.signal
    })
    const text = reply.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    return { model: model.modelId, role: 'assistant', content: { type: 'text', text } }
  }

  return { sample }
}

function textOf(content: CreateMessageRequestParams['messages'][number]['content']): string {
  return [content]
    .flat()
    .map((block) => {
      if (block.type === 'text') return block.text
      throw invalid('messages', 'Only text can be asked about')
    })
    .join('\n')
}
