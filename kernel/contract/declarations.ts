import type { JSONWebKeySet } from 'jose'
import type { Principal } from '../identity/ownership.ts'

// What packs tell each other. A pack's contract.ts adds to these three by declaration merging; the name is
// the identity, so a reload never makes a second one, and a pack that is missing leaves no import behind.

/** Services that a pack exports under its own name, for packs that require or use it. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Services {}
/** Extension points, named `<owner>.<point>`: the owner asks for what others contribute. */
export interface Points {
  'platform.greeting': Greeting
  'platform.agents': AgentDirectory
  'platform.issuer': TokenIssuer
}
/** Past-tense facts, named `<pack>.<fact>`, written in the transaction that made them true. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Facts {}

// The kernel's own point: what a developer sees once the platform is ready, outside production.

export interface Greeting {
  /**
   * Asked at each start; lines are shown in the order of the contributions. Never with a secret in them, but for what is good
   * once and for minutes, on a terminal.
   */
  greet(to: Greeted): Promise<readonly GreetingLine[]>
}

/** The developer who is greeted, and how to reach the platform from this machine. */
export interface Greeted {
  readonly by: Principal
  /** Without a slash at its end. */
  readonly url: string
  /** What `curl` is given to be let in, as words of the shell; empty where nothing is needed. */
  readonly credential: string
  /** A person at a terminal reads it, and nothing keeps it: no file, no log. */
  readonly isTerminal: boolean
}

/** Something to know under a label of a word, or a command to paste into a shell under a label that introduces it. */
export interface GreetingLine {
  readonly label: string
  readonly text: string
  readonly isCommand?: boolean
}

// The kernel's other point: whose an agent is, asked when it becomes a principal by a key or an access token.

export interface AgentDirectory {
  /** Undefined where the project has no such agent. */
  ownerOf(project: string, agentId: string): Promise<string | undefined>
}

// The kernel's third point: who issues access tokens within this platform, beside the provider at `AUTH_URL`.

export interface TokenIssuer {
  /** What stands in `iss` of its tokens. */
  readonly issuer: string
  /** Its public keys as they are now; the same object until they change. */
  keys(): Promise<JSONWebKeySet>
}
