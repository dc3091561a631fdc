/** One thing that the local model does. */
export type Move =
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'repeat'; readonly times: number; readonly text: string }
  | { readonly do: 'think'; readonly text: string }
  | { readonly do: 'call'; readonly toolName: string; readonly input: string }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'fail'; readonly status: number; readonly message: string }

export interface Script {
  readonly moves: readonly Move[]
  /** The lines that are no directives. */
  readonly rest: string
}

const MAX_TIMES = 1_000_000

/** The first word of a line, and the rest without the white space between them. */
function splitAtBlank(line: string): [string, string] {
  const end = line.search(/\s/)
  return end < 0 ? [line, ''] : [line.slice(0, end), line.slice(end).trimStart()]
}

const readers: Readonly<Record<string, (argument: string) => Move | undefined>> = {
  say: (text) => ({ do: 'say', text }),
  think: (text) => ({ do: 'think', text }),
  repeat(argument) {
    const [times, text] = splitAtBlank(argument)
    if (!/^\d{1,7}$/.test(times) || text === '') return undefined
    return { do: 'repeat', times: Math.min(Number(times), MAX_TIMES), text }
  },
  wait: (argument) => (/^\d{1,6}$/.test(argument) ? { do: 'wait', ms: Number(argument) } : undefined),
  call(argument) {
    const [toolName, input] = splitAtBlank(argument)
    return toolName === '' ? undefined : { do: 'call', toolName, input: input || '{}' }
  },
  fail(argument) {
    const status = /^[45]\d\d\b/.exec(argument)?.[0] ?? ''
    const message = argument.slice(status.length).trimStart()
    return {
      do: 'fail',
      status: Number(status || 500),
      message: message || 'The local model was told to fail'
    }
  }
}

/**
 * What a message tells the local model to do, one directive a line. `/then` on a line of its own begins what is to be
 * done in the step after the tools' results: undefined where the message tells nothing for that step.
 */
export function readScript(message: string, step: number): Script | undefined {
  const part = message.split(/^\/then[ \t]*$/m)[step]
  if (part === undefined || (step > 0 && part.trim() === '')) return undefined
  const moves: Move[] = []
  const rest: string[] = []
  for (const line of part.split('\n')) {
    const move = readMove(line.trim())
    if (move) moves.push(move)
    else rest.push(line)
  }
  return { moves, rest: rest.join('\n').trim() }
}

function readMove(line: string): Move | undefined {
  const [first, argument] = splitAtBlank(line)
  const name = first.slice(1)
  return first.startsWith('/') && Object.hasOwn(readers, name) ? readers[name]?.(argument) : undefined
}

/** Whether something is said, called or broken by it, so that no answer has to be looked for. */
export const speaks = ({ do: what }: Move): boolean => what !== 'wait' && what !== 'think'
