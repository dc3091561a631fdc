import type { Redact } from '../../tools/contract.ts'
import type { AllowedCommand } from '../commands.ts'

/** Where to connect, and as whom. */
export type Target = HttpTarget | StdioTarget

interface Common {
  /** As people know the server. */
  readonly name: string
  readonly messageBytes: number
  /** Takes out of all that the server says what it was shown so far. */
  readonly redact: Redact
  /** The same of what is long. */
  readonly redactInTurns: <T>(said: T) => Promise<T>
}

export interface HttpTarget extends Common {
  readonly transport: 'http' | 'sse'
  readonly url: URL
  readonly credential: Credential
}

export interface StdioTarget extends Common {
  readonly transport: 'stdio'
  readonly words: readonly string[]
  readonly command: AllowedCommand
}

/** What the server is shown, and no other. */
export interface Credential {
  /** For one request; fails where there is none to show any more. */
  headers(): Promise<Readonly<Record<string, string>>>
  /** The server refused what it was shown. True: try once more, with what there is now. */
  refused(shown: Readonly<Record<string, string>>, challenge: Challenge): Promise<boolean>
}

/** How a server refused: what its `WWW-Authenticate` says. */
export interface Challenge {
  readonly status: 401 | 403
  readonly resourceMetadataUrl?: URL
  readonly scope?: string
}

/** The server wants its owner to let the platform in, or to give it something else to show. */
export class AccessNeeded extends Error {
  readonly challenge: Challenge
  constructor(challenge: Challenge) {
    super('access needed')
    this.challenge = challenge
  }
}

/** By `challenge`, never by class: it may be of another version of the pack. */
export const accessNeededOf = (error: unknown): Challenge | undefined =>
  causesOf(error).find((it): it is AccessNeeded => 'challenge' in it)?.challenge

/** The error and what it came of, the outermost first. */
export function causesOf(error: unknown): readonly Error[] {
  const all: Error[] = []
  for (let it = error; it instanceof Error && all.length < 10; it = nextOf(it)) all.push(it)
  return all
}

const nextOf = (error: Error): unknown => error.cause ?? (error as { data?: { cause?: unknown } }).data?.cause
