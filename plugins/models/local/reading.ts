import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'

/** What the local model takes from a prompt. */
export interface Reading {
  /** Text of the last message of the user. */
  readonly asked: string
  /** How many replies there are to it already: tools were called meanwhile. */
  readonly replies: number
  /** Texts of the tool results that the prompt ends with, if it ends with any. */
  readonly results: string | undefined
  /** How many tools were called in all. */
  readonly calls: number
  /** Characters of the whole prompt. */
  readonly characters: number
  /** Where `asked` stands; everything before it may answer it. */
  readonly at: number
}

type Part = Exclude<LanguageModelV4Message['content'], string>[number]

export function readPrompt(prompt: LanguageModelV4Prompt): Reading {
  const at = prompt.findLastIndex(({ role }) => role === 'user')
  const asked = at < 0 ? '' : textOf(prompt[at] as LanguageModelV4Message)
  let characters = 0
  let calls = 0
  for (const { content } of prompt)
    if (typeof content === 'string') characters += content.length
    else
      for (const part of content) {
        characters += textOfPart(part).length
        if (part.type === 'tool-call') calls++
      }
  const after = prompt.slice(at + 1)
  const spoken = after.findLastIndex(({ role }) => role === 'assistant')
  const results = after.slice(spoken + 1).filter(({ role }) => role === 'tool')
  return {
    asked,
    replies: after.filter(({ role }) => role === 'assistant').length,
    results: results.length > 0 ? results.map(textOf).join('\n') : undefined,
    calls,
    characters,
    at
  }
}

export const textOf = ({ content }: LanguageModelV4Message): string =>
  typeof content === 'string' ? content : content.map(textOfPart).filter(Boolean).join('\n')

function textOfPart(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool-call':
      return JSON.stringify(part.input) ?? ''
    case 'tool-result':
      return textOfOutput(part.output)
    default:
      return ''
  }
}

function textOfOutput(output: Extract<Part, { type: 'tool-result' }>['output']): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      // As a run marks what comes from outside.
      return output.value.replace(/^<untrusted>\n([\s\S]*)\n<\/untrusted>$/, '$1')
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value)
    case 'execution-denied':
      return output.reason === undefined ? 'The call was denied.' : `The call was denied: ${output.reason}`
    case 'content':
      return output.value.map((part) => (part.type === 'text' ? part.text : '')).join('')
  }
}
