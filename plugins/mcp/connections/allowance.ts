import { upstreamFailed } from 'agent-platform'

/** What a server may still send: on a connection that all requests share, or in reply to one of them. */
export interface Allowance {
  /** Bytes of one message, at most. */
  readonly messageBytes: number
  /** Each of these throws a 502, code `flooded`, for what is too much. */
  bytes(count: number): void
  messages(count: number): void
  /** A request of the server's, or a stream that it wants opened again: each is answered by a request of ours. */
  requests(count: number): void
  /** One more request was sent, to which it may reply. */
  grant(): void
}

/** At once, and again each second. */
const MESSAGES = { burst: 1_000, perSecond: 100, perRequest: 50 }
const REQUESTS = { burst: 32, perSecond: 2, perRequest: 8 }
/** Bytes, in messages of the greatest size. */
const BYTES = { burst: 4, perSecond: 0.25, perRequest: 1 }
/** How many bursts may add up while many requests are under way. */
const MOST_BURSTS = 16

export function createAllowance(messageBytes: number): Allowance {
  const bytes = createBucket({
    burst: BYTES.burst * messageBytes,
    perSecond: BYTES.perSecond * messageBytes,
    perRequest: BYTES.perRequest * messageBytes
  })
  const messages = createBucket(MESSAGES)
  const requests = createBucket(REQUESTS)
  return {
    messageBytes,
    bytes: bytes.take,
    messages: messages.take,
    requests: requests.take,
    grant() {
      for (const bucket of [bytes, messages, requests]) bucket.grant()
    }
  }
}

function createBucket({ burst, perSecond, perRequest }: typeof MESSAGES) {
  let left = burst
  let since = performance.now()
  return {
    take(count: number) {
      const now = performance.now()
      if (left < burst) left = Math.min(left + ((now - since) / 1_000) * perSecond, burst)
      since = now
      left -= count
      if (left < 0) throw flooded()
    },
    grant() {
      left = Math.min(left + perRequest, MOST_BURSTS * burst)
    }
  }
}

export const flooded = () => upstreamFailed('The server sends more than it may', { code: 'flooded' })
