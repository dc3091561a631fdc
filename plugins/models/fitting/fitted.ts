import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import type { InputModality, PartsModel } from '../contract.ts'
import type { Adapted } from '../providers/adapted-model.ts'
import { adapted } from '../providers/adapted-model.ts'
import { fittedPrompt } from './prompt.ts'
import { rulesOf } from './prompt-rules.ts'
import type { ToolNames } from './tool-names.ts'
import { isAccepted, toolNames } from './tool-names.ts'
import { toolSchema } from './tool-schema.ts'

type Model = LanguageModelV4 & Partial<PartsModel>
type Call = LanguageModelV4CallOptions

/**
 * A model whose requests hold only what its provider accepts: the order of messages, calls with their results, IDs of
 * calls, names and schemas of tools, and images. Replies have the tools' own names.
 */
export function fitted(model: Model, inputModalities?: readonly InputModality[]): Model {
  const rules = rulesOf(model.provider)
  const images = inputModalities === undefined || inputModalities.includes('image')
  return adapted(model, (call) => fit({ ...call, prompt: fittedPrompt(call.prompt, rules, images) }))
}

function fit(call: Call): Adapted {
  const { tools = [], toolChoice, prompt } = call
  if (tools.length === 0 && !prompt.some(hasOtherNames)) return { call }
  const names = toolNames(tools.flatMap((tool) => (tool.type === 'function' ? tool.name : [])))
  return {
    call: {
      ...call,
      prompt: prompt.map((message) => (hasOtherNames(message) ? renamed(message, names) : message)),
      ...(tools.length > 0 && {
        tools: tools.map((tool) =>
          tool.type === 'function'
            ? { ...tool, name: names.sent(tool.name), inputSchema: toolSchema(tool.inputSchema) }
            : tool
        )
      }),
      ...(toolChoice?.type === 'tool' && {
        toolChoice: { ...toolChoice, toolName: names.sent(toolChoice.toolName) }
      })
    },
    part: names.areChanged
      ? (part) => ('toolName' in part ? { ...part, toolName: names.own(part.toolName) } : part)
      : undefined
  }
}

const hasOtherNames = ({ role, content }: LanguageModelV4Message): boolean =>
  (role === 'assistant' || role === 'tool') &&
  content.some((part) => 'toolName' in part && !isAccepted(part.toolName))

/** A model may have called a tool that does not exist, by any name. */
function renamed(message: LanguageModelV4Message, names: ToolNames): LanguageModelV4Message {
  if (message.role !== 'assistant' && message.role !== 'tool') return message
  const content = message.content.map((part) =>
    'toolName' in part ? { ...part, toolName: names.sent(part.toolName) } : part
  )
  return { ...message, content } as LanguageModelV4Message
}
