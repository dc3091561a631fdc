import type { IncomingHttpHeaders } from 'node:http'
import type { TObject } from 'typebox'

/** What a channel is set to: its public part, and what is sealed. */
export interface ChannelSetup {
  readonly config: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
}
/** What came to a channel's address. */
export interface Delivery extends ChannelSetup {
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}
export interface Incoming {
  /** Of the service: one that came before is not answered again. */
  readonly id: string
  /** Where the answer goes. */
  readonly conversation: string
  /** The conversation that this one is a part of, such as a channel with threads: where that was paired, this one is. */
  readonly within?: string
  readonly from: string
  readonly text: string
}
export interface Received {
  readonly messages: readonly Incoming[]
  /** What the service is answered; left out: what was received. */
  readonly reply?: object
}
/** What a service kept until it was fetched. */
export interface Fetched {
  readonly messages: readonly Incoming[]
  /** Behind which the next ones lie. */
  readonly cursor: string
  /** There are others, to be fetched at once. */
  readonly isMore: boolean
}
export interface Outbound extends ChannelSetup {
  readonly conversation: string
  readonly text: string
  /** The same when it is sent again. */
  readonly key: string
  readonly signal: AbortSignal
}

/** A service by which people talk to agents; its name is its key at the point. */
export interface ChannelKind {
  /** What `connect` takes beside the secrets. */
  readonly config: TObject
  /** What `connect` takes and what is sealed. */
  readonly secrets: TObject
  /** Secrets that are made here, anew with each connection; those in `shown` stand in the reply to `connect` alone. */
  readonly made?: () => Readonly<Record<string, string>>
  readonly shown?: readonly string[]
  /** Whether all who can write to it may talk to the agent unless its owner says otherwise: the sender has proved enough. */
  readonly isOpen: boolean
  /** Throws a 401 unless the delivery is the service's own, and not an old one. */
  receive(delivery: Delivery): Received
  /**
   * What lies at the service behind the cursor; null: what lies there counts as seen. Undefined where the channel is not set to
   * be fetched from. Throws a `Rejected` where the service could not be asked.
   */
  fetch?(setup: ChannelSetup, cursor: string | null, signal: AbortSignal): Promise<Fetched | undefined>
  /** Throws a `Rejected` where it was refused; anything else is tried again. */
  send(message: Outbound): Promise<void>
  /** Asks the service who the channel is, and has it deliver to that address where it can be told; what people may see. */
  check(setup: ChannelSetup, address: string | undefined): Promise<string>
}
