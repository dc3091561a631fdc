import type { Principal } from 'agent-platform'
import type { Provider } from './provider/provider.ts'
import type { PageTest, TestPage } from './schemas/browser.ts'
import type { Command, NewCommand } from './schemas/commands.ts'
import type { ComputerFile, ReadQuery, WriteFiles } from './schemas/files.ts'
import type { WantedKind } from './services/enabling.ts'
import type { Program, ProgramEnd, ProgramOrder } from './services/programs.ts'
import type { AboutComputer } from './services/transitions.ts'

export type { Capabilities, Provider, Size, StartOrder, Usability } from './provider/provider.ts'
export type {
  Command,
  ComputerFile,
  NewCommand,
  PageTest,
  Program,
  ProgramEnd,
  ProgramOrder,
  ReadQuery,
  TestPage,
  WriteFiles
}

/**
 * The computers of agents, for packs that work on them. Each wakes what it needs, and refuses what its route refuses: 404 and 403
 * of the agent, 409 `computer_off`, 503 where computers do not work here. What comes out of a computer was written by programs of
 * others.
 */
export interface Computers {
  /** Runs a command to its end; aborted, it is cancelled, and all that it started ends. */
  exec(by: Principal, agentId: string, command: NewCommand, signal?: AbortSignal): Promise<Command>
  /**
   * Starts a program that goes on until it ends or is stopped. It keeps the computer awake, reaches the platform's routes below
   * `/v1/runtime/` at `platformUrl`, and ends with the computer, and with this instance, which then holds it.
   */
  start(by: Principal, agentId: string, order: ProgramOrder): Promise<Program>
  /** Enables the computer where it is not, of that kind and image where it is to be another one; what it has stays. */
  enable(by: Principal, agentId: string, wanted: WantedKind): Promise<void>
  /** 503 `capability_missing`, with what to install, unless computers of the kind of the agent's work here. */
  checkUsable(by: Principal, agentId: string): Promise<void>
  /** Where programs in a computer find the platform, whatever their client knows of proxies. */
  readonly platformUrl: string
  /** What providers of computers there are, by name, and the images that each takes, where it takes any. */
  providers(): readonly { readonly name: string; readonly images: readonly string[] }[]
  /** Opens an address in the browser of the computer, in a tab of its own, and tells what it met. */
  test(by: Principal, agentId: string, page: TestPage): Promise<PageTest>
  read(by: Principal, agentId: string, query: ReadQuery): Promise<ComputerFile>
  write(
    by: Principal,
    agentId: string,
    files: WriteFiles
  ): Promise<{ files: readonly { readonly path: string; readonly size: number; readonly mode: number }[] }>
}

declare module 'agent-platform' {
  interface Services {
    computers: Computers
  }
  interface Points {
    'computers.provider': Provider
  }
  interface Facts {
    'computers.configured': AboutComputer
    'computers.resized': AboutComputer
    'computers.woken': AboutComputer
    /** It is asleep or off, because it was asked to, rested, or was lost. */
    'computers.suspended': AboutComputer
    'computers.failed': AboutComputer
    'computers.files_written': AboutComputer
    /** Never what goes through it. */
    'computers.terminal_opened': AboutComputer
    'computers.terminal_closed': AboutComputer
    /** Never what was run, or what it wrote. */
    'computers.command_ended': Pick<Command, 'id' | 'agentId' | 'source' | 'status' | 'exitCode' | 'reason'>
  }
}
