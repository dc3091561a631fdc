/** A completion's request, as far as the server looks at it. */
export interface ChatBody {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly tools?: readonly unknown[]
  readonly [field: string]: unknown
}

/** How one request is answered: the model's name as a query (`mock?tokens=20&delay=5`), or what `respond` says. */
export interface Script {
  /** Tokens of the reply; default 20, or as many as `text` has words. */
  readonly tokens: number
  /** Milliseconds between tokens, and before the headers. */
  readonly delay: number
  readonly ttft: number
  /** What is said, a word a token; again from the beginning when `tokens` is more. Default: `tok `. */
  readonly text: string | undefined
  /** `t0 t1 t2 …` */
  readonly numbered: boolean
  /** `echo` says the last user message back. */
  readonly reply: string | undefined
  /** From this token on, a request that was made before gets another text. */
  readonly wander: number | undefined
  /** Tokens of reasoning before the text. */
  readonly reasoning: number
  /** Called together, once a user message; what follows their results is the text. */
  readonly tools: readonly { readonly name: string; readonly args: string }[]
  readonly finish: string | undefined
  /** Of the prompt's tokens, those said to come from the cache. */
  readonly cached: number
  /** Never said when false; otherwise when the request asks for it. */
  readonly usage: boolean
  readonly faults: Faults
}

/** What goes wrong. With `times=N` only for the first N requests with the same `run=`, or else the same model and
 *  last user message. */
export interface Faults {
  readonly status?: number
  /** The header of that status. */
  readonly retryAfter?: string
  /** Silence before the headers, or after `hangAt` tokens. */
  readonly hang?: 'headers' | 'body'
  readonly hangAt?: number
  /** The socket is destroyed after so many tokens. */
  readonly cutAt?: number
  /** An error object in place of the token with that number. */
  readonly errorAt?: number
  /** `1`: bytes without sense, `html`: a page, `json`: an event that is no JSON, `huge`: an event of 5 MiB. */
  readonly rubbish?: string
  readonly endless?: boolean
  /** Calls its tools with arguments that are no JSON. */
  readonly badArgs?: boolean
}

const number = (value: string | null): number | undefined => (value === null ? undefined : Number(value))

export function parseScript(model: string): Script & { times: number | undefined; run: string | undefined } {
  const query = new URLSearchParams(model.includes('?') ? model.slice(model.indexOf('?') + 1) : '')
  const count = (name: string) => number(query.get(name))
  const is = (name: string) => Boolean(count(name))
  const args = query.getAll('args')
  const text = query.get('text') ?? undefined
  return {
    tokens: count('tokens') ?? (text === undefined ? 20 : words(text).length),
    delay: count('delay') ?? 0,
    ttft: count('ttft') ?? 0,
    text,
    numbered: is('numbered'),
    reply: query.get('reply') ?? undefined,
    wander: count('wander'),
    reasoning: count('reasoning') ?? 0,
    tools: query.getAll('tool').map((name, i) => ({ name, args: args[i] ?? '{}' })),
    finish: query.get('finish') ?? undefined,
    cached: count('cached') ?? 0,
    usage: query.get('usage') !== '0',
    times: count('times'),
    run: query.get('run') ?? undefined,
    faults: {
      status: count('status'),
      retryAfter: query.get('retryAfter') ?? undefined,
      hang: (query.get('hang') as Faults['hang']) ?? undefined,
      hangAt: count('hangAt'),
      cutAt: count('cutAt'),
      errorAt: count('errorAt'),
      rubbish: query.get('rubbish') ?? undefined,
      endless: is('endless'),
      badArgs: is('badArgs')
    }
  }
}

/** A word with the space after it is a token. */
export const words = (text: string): string[] => text.match(/\S+\s*|^\s+/g) ?? []

/** The last message of the user, its text alone. */
export function lastOfUser(messages: ChatBody['messages']): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content
  if (!Array.isArray(content)) return String(content ?? '')
  return content.map(({ text = '' }: { text?: string }) => text).join('')
}

export interface Speech {
  readonly count: number
  /** All tokens are this one. */
  readonly only?: string
  token(i: number): string
}

/** What is said to a request, when it is asked for the `repeated`th time after the first. */
export function speech(script: Script, messages: ChatBody['messages'], repeated: number): Speech {
  const { text, numbered, reply, wander, faults } = script
  const said = words(reply === 'echo' ? lastOfUser(messages) : (text ?? ''))
  const plain = numbered ? (i: number) => `t${i} ` : (i: number) => said[i % said.length] as string
  const count = faults.endless ? Number.POSITIVE_INFINITY : reply === 'echo' ? said.length : script.tokens
  const wanders = wander !== undefined && repeated > 0
  if (!numbered && said.length === 0 && !wanders) return { count, only: 'tok ', token: () => 'tok ' }
  const first = !numbered && said.length === 0 ? () => 'tok ' : plain
  return { count, token: wanders ? (i) => (i < wander ? first(i) : `w${repeated}-${i} `) : first }
}

/** What is answered to one request. */
export interface Reply {
  readonly id: string
  readonly body: ChatBody
  readonly script: Script
  readonly speech: Speech
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: string }[]
  /** Counts what was said. */
  said(tokens: number): void
  /** Destroys the socket. */
  cut(): void
}
