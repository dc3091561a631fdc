// What a computer is asked to do, and what it answers at the end.

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}
/** Runs a program. */
export interface ExecOrder {
  readonly op: 'exec'
  /** Program and arguments; a command of the shell is `['/bin/sh', '-c', command]`. */
  readonly argv: readonly string[]
  /** Absolute, or below the home. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Bytes of each of its outputs that are sent; what is more goes to a file, where one is named. */
  readonly most: number
  /** Below the home, without an ending. */
  readonly rest?: string
  /** With a terminal of that size: everything that it writes is output. */
  readonly terminal?: TerminalSize
  /** Has two more files, 3 and 4, which are input and output in place of the standard ones. */
  readonly pipes?: true
}
/** Reads a file or a part of it, or lists a folder. */
export interface ReadOrder {
  readonly op: 'read'
  readonly path: string
  readonly offset: number
  readonly length: number
}
/** Writes files, whose contents follow as input, one after the other. */
export interface WriteOrder {
  readonly op: 'write'
  readonly files: readonly { readonly path: string; readonly size: number; readonly mode?: number }[]
}
/** Tells what it takes of memory, where nothing outside can. */
export interface MemoryOrder {
  readonly op: 'memory'
}
export type Order = ExecOrder | ReadOrder | WriteOrder | MemoryOrder

export interface Entry {
  readonly name: string
  readonly type: 'file' | 'folder' | 'link' | 'other'
  readonly size: number
  readonly mode: number
  readonly modifiedAt: string
}

export interface ExecEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdoutBytes: number
  readonly stderrBytes: number
  /** Below the home, where there was more than is sent. */
  readonly stdoutFile?: string
  readonly stderrFile?: string
}
export interface ReadEnd {
  readonly type: 'file' | 'folder'
  readonly path: string
  readonly size: number
  readonly mode: number
  readonly modifiedAt: string
  readonly entries?: readonly Entry[]
}
export interface WriteEnd {
  readonly files: readonly { readonly path: string; readonly size: number; readonly mode: number }[]
}
export interface MemoryEnd {
  /** Null where it has no control group that it sees. */
  readonly bytes: number | null
}
/** What went wrong, with the system's code or one of `outside_home`, `not_a_file`. */
export interface Fault {
  readonly fault: { readonly code: string; readonly message: string; readonly path?: string }
}

/** An order that is under way. */
export interface Doing {
  input(bytes: Buffer): void
  inputEnd(): void
  signal(name: string): void
  /** Whether it may say more for now. */
  flow?(isFree: boolean): void
  resize?(size: TerminalSize): void
}
/** What it says. */
export interface Saying {
  send(kind: number, bytes: Buffer): boolean
  /** Called once, when what was sent has gone. */
  drained(then: () => void): void
  end(value: object): void
}
