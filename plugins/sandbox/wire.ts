// What platform, process and program send each other: texts of lines, of which each has a kind and fields between tabs. JSON
// has neither tabs nor ends of lines in it, so that a process passes on what it need not read.

/** Fields of a line; the last of `count` is all that is left. */
export function fieldsOf(line: string, count: number): string[] {
  const fields: string[] = []
  let start = 0
  while (fields.length < count - 1) {
    const end = line.indexOf('\t', start)
    if (end < 0) break
    fields.push(line.slice(start, end))
    start = end + 1
  }
  fields.push(line.slice(start))
  return fields
}

export const lineOf = (...fields: readonly (string | number)[]): string => fields.join('\t')

/** Lines that are sent together at the end of the turn in which the first one was put. */
export function createOutbox(send: (text: string) => void, later: (flush: () => void) => void) {
  let lines: string[] = []
  const flush = () => {
    const text = lines.join('\n')
    lines = []
    send(text)
  }
  return (line: string): void => {
    if (lines.push(line) === 1) later(flush)
  }
}

// From the platform to a process: `p` a program by its number, limits, its text as JSON; `c` a call: number, program, function,
// about, input; `a` an answer of the host: call, number, 1 or 0, JSON; `x` nobody waits for the call any more, 1 where it took too
// long; `e` a program goes; `?` is it there.
// Back: `o` a program is open, its functions; `g` it has gone; `d` it is the end of the process, why; `n` there is no program for
// the call; `r` a result: call, milliseconds, JSON; `f` and `F` how it failed, by the program's words or by the process'; `h` a call
// of the host: call, number, method, parameters; `l` a line of the log: call, level, text; `!` it is there, and what calls in it took of the processor; `w` it has too much memory,
// and ends with its last call.
// Between a process and a program there are `c`, `a`, `x`, `r`, `f`, `h` and `l` likewise, and `t` a timer, `k` cryptography, `?` a probe.

/** Of each program, to its process. */
export interface ProgramLimits {
  readonly cpuMs: number
  readonly memoryMb: number
  readonly pending: number
  readonly messageSize: number
  readonly logLines: number
}

/** The first message to a process. */
export interface Beginning {
  /** The standard library of programs. */
  readonly library: string
  readonly memoryMb: number
  /** The process gives up root for it. */
  readonly account?: { readonly uid: number; readonly gid: number }
}

/** Characters of a line of the log. */
export const LOG_LINE = 4_096
