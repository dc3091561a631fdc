/**
 * What vendors refuse in a request, as their documentation and error messages say it. Each check returns the rules that a
 * body breaks.
 */
interface Body {
  readonly [field: string]: unknown
}
type Broken = string[]

const NAME = /^[A-Za-z0-9_-]{1,64}$/
const isBlank = (text: unknown): boolean => typeof text === 'string' && text.trim() === ''
const isObject = (it: unknown): boolean => typeof it === 'object' && it !== null && !Array.isArray(it)

interface ChatMessage {
  readonly role: string
  readonly content: string | readonly { type: string; text?: string }[] | null
  readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[]
  readonly tool_call_id?: string
}
const chatOf = (body: Body) => body.messages as readonly ChatMessage[]

/** Of OpenAI's chat completions, which others follow: each call is followed by its results. */
export function chatRules(body: Body): Broken {
  const broken: Broken = []
  let open: string[] = []
  const ids = new Set<string>()
  for (const { role, content, tool_calls: calls = [], tool_call_id: id = '' } of chatOf(body)) {
    if (role === 'tool') {
      if (!open.includes(id)) broken.push('a result without its call')
      open = open.filter((it) => it !== id)
      continue
    }
    if (open.length > 0) broken.push('a call without its result')
    open = calls.map((call) => call.id)
    if (content === null && calls.length === 0) broken.push('a message without content')
    if (Array.isArray(content) && content.length === 0) broken.push('an empty array')
    for (const call of calls) {
      if (ids.has(call.id)) broken.push('an ID twice')
      ids.add(call.id)
      if (!NAME.test(call.function.name)) broken.push(`the name ${call.function.name}`)
      if (!isObject(JSON.parse(call.function.arguments))) broken.push('arguments that are not an object')
    }
  }
  if (open.length > 0) broken.push('a call without its result, at the end')
  return broken
}

/** Of OpenAI, whose IDs have at most 40 characters. */
export function openaiRules(body: Body): Broken {
  const ids = chatOf(body).flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id))
  const broken = ids.filter((id) => id.length > 40).map((id) => `an ID of ${id.length} characters`)
  return [...chatRules(body), ...broken]
}

/** Of Mistral: the order of roles (error 3230), IDs of nine letters and digits (3280), no empty message of the assistant. */
export function mistralRules(body: Body): Broken {
  const broken = chatRules(body)
  const after: Readonly<Record<string, readonly string[]>> = {
    start: ['system', 'user'],
    system: ['user'],
    user: ['assistant'],
    assistant: ['user', 'tool'],
    tool: ['assistant', 'tool']
  }
  let last = 'start'
  for (const { role, content, tool_calls: calls = [] } of chatOf(body)) {
    if (!after[last]?.includes(role)) broken.push(`Unexpected role '${role}' after role '${last}'`)
    if (role === 'assistant' && calls.length === 0 && (!content || isBlank(content)))
      broken.push('Assistant message must have either content or tool_calls')
    for (const { id } of calls) if (!/^[a-zA-Z0-9]{9}$/.test(id)) broken.push(`the ID ${id}`)
    last = role
  }
  if (last !== 'user' && last !== 'tool') broken.push(`Expected last role User or Tool, but got ${last}`)
  return broken
}

/** Of the chat templates of Llama 2, Mistral and Gemma: only turns of the user and answers count, and they alternate. */
export function templateRules(body: Body): Broken {
  const broken = chatRules(body)
  const [first, ...rest] = chatOf(body)
  const turns = first?.role === 'system' ? rest : chatOf(body)
  if (rest.some(({ role }) => role === 'system')) broken.push('System message must be at the beginning')
  let isUsers = true
  for (const { role, tool_calls: calls = [] } of turns) {
    if (role === 'tool' || calls.length > 0) continue
    if ((role === 'user') !== isUsers) broken.push('Conversation roles must alternate user/assistant')
    isUsers = !isUsers
  }
  return broken
}

interface Block {
  readonly type: string
  readonly text?: string
  readonly id?: string
  readonly name?: string
  readonly input?: unknown
  readonly tool_use_id?: string
  readonly content?: unknown
}

/** Of Anthropic's messages: they begin and end with the user, results begin the message after their calls, text is not blank. */
export function anthropicRules(body: Body): Broken {
  const broken: Broken = []
  const messages = body.messages as readonly { role: string; content: readonly Block[] }[]
  if (messages[0]?.role !== 'user') broken.push('first message must use the "user" role')
  if (messages.at(-1)?.role !== 'user') broken.push('the conversation must end with a user message')
  const ids = new Set<string>()
  let open: string[] = []
  for (const [at, { role, content }] of messages.entries()) {
    if (messages[at - 1]?.role === role) broken.push('roles must alternate')
    if (content.length === 0) broken.push('all messages must have non-empty content')
    const results = content.flatMap(({ type, tool_use_id: id }) => (type === 'tool_result' ? String(id) : []))
    if (content.slice(0, results.length).some(({ type }) => type !== 'tool_result'))
      broken.push('tool_result blocks come first')
    if (results.some((id) => !open.includes(id))) broken.push('unexpected tool_use_id in tool_result')
    if (open.some((id) => !results.includes(id))) broken.push('tool_use ids without tool_result blocks after')
    if (new Set(results).size < results.length) broken.push('each tool_use must have a single result')
    open = []
    for (const { type, text, id = '', name = '', input } of content) {
      if (type === 'text' && isBlank(text))
        broken.push('text content blocks must contain non-whitespace text')
      if (type !== 'tool_use') continue
      if (ids.has(id)) broken.push('tool_use ids must be unique')
      ids.add(id)
      open.push(id)
      if (!/^[a-zA-Z0-9_-]+$/.test(id)) broken.push(`the ID ${id}`)
      if (!NAME.test(name)) broken.push(`the name ${name}`)
      if (!isObject(input)) broken.push('Input should be a valid dictionary')
    }
    if (role === 'assistant' && /thinking/.test(content.at(-1)?.type ?? ''))
      broken.push('the final block in an assistant message cannot be thinking')
  }
  if (open.length > 0) broken.push('a call at the end')
  return broken
}

interface Part {
  readonly text?: string
  readonly functionCall?: { name: string; args: unknown }
  readonly functionResponse?: { name: string }
}

/** Of Gemini: a turn with calls follows the user's or results, and as many results follow as there were calls. */
export function geminiRules(body: Body): Broken {
  const broken: Broken = []
  const contents = body.contents as readonly { role: string; parts: readonly Part[] }[]
  if (contents[0]?.role !== 'user') broken.push('the first turn is not the user’s')
  if (contents.at(-1)?.role !== 'user') broken.push('the last turn is not the user’s')
  for (const [at, { role, parts }] of contents.entries()) {
    if (parts.length === 0) broken.push('contents.parts must not be empty')
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
    const responses = contents[at + 1]?.parts.flatMap((it) => it.functionResponse ?? []) ?? []
    if (calls.length > 0 && contents[at - 1]?.role !== 'user')
      broken.push('function call turn comes immediately after a user turn or after a function response turn')
    if (role === 'model' && calls.map(({ name }) => name).join() !== responses.map(({ name }) => name).join())
      broken.push('function response parts equal the number of function call parts')
    const own = parts.filter((it) => it.functionResponse)
    if (own.length > 0 && !contents[at - 1]?.parts.some((it) => it.functionCall))
      broken.push('function response turn comes immediately after a function call turn')
    for (const { name, args } of calls) {
      if (!/^[a-zA-Z_][\w.-]{0,63}$/.test(name)) broken.push(`the name ${name}`)
      if (!isObject(args)) broken.push('args that are not an object')
    }
  }
  return broken
}

/** Of Bedrock's Converse, whose messages are Anthropic's in other words: IDs have 64 characters, no text is blank. */
export function converseRules(body: Body): Broken {
  const broken = anthropicRules(body)
  const messages = body.messages as readonly { content: readonly Block[] }[]
  for (const { content } of messages)
    for (const { id, tool_use_id: resultOf, content: output } of content) {
      const given = id ?? resultOf
      if (given !== undefined && !/^[a-zA-Z0-9_-]{1,64}$/.test(given)) broken.push(`the ID ${given}`)
      if (isBlank(output)) broken.push('The text field in the ContentBlock object is blank')
    }
  return broken
}
