import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt
} from '@ai-sdk/provider'

const HERE = { anthropic: { cacheControl: { type: 'ephemeral' } } }

type Options = LanguageModelV4Message['providerOptions']
type Part = Exclude<LanguageModelV4Message['content'], string>[number]

const marked = <T extends { readonly providerOptions?: Options }>(it: T): T => ({
  ...it,
  providerOptions: {
    ...it.providerOptions,
    anthropic: { ...HERE.anthropic, ...it.providerOptions?.anthropic }
  }
})

/**
 * A call with the four points up to which Anthropic caches a prompt: the tools, the system prompt, what the next prompt of the session
 * will have in common with this one, and its end, with which the next step of a run goes on.
 */
export function withCachePoints(call: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { tools = [], prompt } = call
  const system = prompt.findLastIndex(({ role }) => role === 'system')
  const points = prompt.map((message, at) => (at === system ? marked(message) : message))
  const changing = placeOfChanging(prompt)
  if (changing) markBefore(points, changing)
  markBefore(points, { message: points.length, part: 0 })
  return {
    ...call,
    prompt: points,
    ...(tools.length > 0 && {
      tools: tools.map((tool, at) =>
        at === tools.length - 1 && tool.type === 'function' ? marked(tool) : tool
      )
    })
  }
}

interface Place {
  readonly message: number
  readonly part: number
}

function placeOfChanging(prompt: LanguageModelV4Prompt): Place | undefined {
  for (const [message, { content }] of prompt.entries()) {
    if (typeof content === 'string') continue
    const part = content.findIndex(({ providerOptions }) => providerOptions?.['agent-platform']?.changing)
    if (part >= 0) return { message, part }
  }
  return undefined
}

/** Thoughts cannot be cached, nor blank texts. */
const isCacheable = (part: Part): boolean =>
  part.type !== 'reasoning' && (part.type !== 'text' || part.text.trim() !== '')

/** The last part before that place which can be cached; none of the system prompt, which has its own point. */
function markBefore(points: LanguageModelV4Message[], { message, part }: Place): void {
  for (let at = Math.min(message, points.length - 1); at >= 0; at--) {
    const { role, content } = points[at] as LanguageModelV4Message
    if (role === 'system') return
    const end = at === message ? part : content.length
    const found = (content as readonly Part[]).findLastIndex((it, index) => index < end && isCacheable(it))
    if (found < 0) continue
    const parts = content.map((it, index) => (index === found ? marked(it as Part) : it))
    points[at] = { role, content: parts } as LanguageModelV4Message
    return
  }
}
