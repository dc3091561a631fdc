import type { Egress } from './egress.ts'
import type { Machine } from './machine.ts'

/** What a provider can give a computer. */
export interface Capabilities {
  /** What keeps a computer from all else; code never runs without. */
  readonly isolation: 'namespaces' | 'container' | 'machine'
  readonly network: boolean
  readonly gpu: boolean
  readonly snapshot: boolean
}

/** What a computer has, at most. */
export interface Size {
  /** Processors; fractions are shares of one. */
  readonly vcpu: number
  readonly memoryMb: number
  readonly storageMb: number
  readonly gpu: number
}

export interface StartOrder extends Size {
  /** Of the computer, unique on the platform: names its home, and the user that it runs as. */
  readonly number: number
  readonly hostname: string
  /** What the rest of its files are, where the provider makes computers of images; null for the one of whoever names none. */
  readonly image: string | null
  readonly egress: Egress
}

/** Whether it works here, and if not, what to do. */
export type Usability =
  | { readonly usable: true; readonly warnings: readonly string[] }
  | { readonly usable: false; readonly reason: string; readonly install: string }

/** Something that computers run in. */
export interface Provider {
  readonly name: string
  readonly capabilities: Capabilities
  /** That a computer may be made of, where it is made of one; the first is that of whoever names none. */
  readonly images?: readonly string[]
  /** Looked at once, and again while it does not work. */
  look(): Promise<Usability>
  /** Why it cannot give a computer of that size; undefined where it can. */
  refuses(size: Size): { readonly param: keyof Size; readonly reason: string } | undefined
  /** Starts it, and resolves when it takes orders. */
  start(order: StartOrder): Promise<Machine>
  /** Deletes all that a computer has kept; it is not running. Nothing where it never ran here. */
  remove(number: number): Promise<void>
  /** Bytes that a computer keeps, asleep or awake; undefined where that is not known now. */
  measure(number: number): Promise<number | undefined>
  /**
   * Ends what still runs of computers that nobody holds, where computers outlive the process that started them. `held` tells
   * the numbers of those that somebody holds, and is asked after it was looked at what runs.
   */
  removeLeft?(held: () => Promise<ReadonlySet<number>>): Promise<void>
}
