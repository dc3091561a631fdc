import type { Owned } from 'agent-platform'

/** Whose money an account holds; the platform's are where credits come from and go to. */
export type AccountKind = 'person' | 'issued' | 'earned' | 'absorbed'
export type TransactionKind = 'usage' | 'grant' | 'debit' | 'gift' | 'campaign' | 'topup'

/** An account as it is locked: amounts change in memory as they are posted. */
export interface Account extends Owned {
  readonly id: string
  readonly kind: AccountKind
  balance: bigint
  reserved: bigint
}

/** What an entry was for, where that is known. */
export interface Purpose {
  readonly agentId?: string | null
  readonly sessionId?: string | null
  readonly runId?: string | null
  readonly modelProvider?: string | null
  readonly modelId?: string | null
  readonly toolName?: string | null
  /** What was used: tokens, calls. */
  readonly quantity?: Readonly<Record<string, number>> | null
  /** What it was charged by: a version of the catalogue, as it was. */
  readonly price?: Readonly<Record<string, string>> | null
}

/** A line of a posting: what is added to an account, or taken from it. */
export interface Line {
  readonly account: Account
  readonly amount: bigint
  /** Of the account, behind it. */
  readonly balance: bigint
  /** Who has the other side of it, where that is a person. */
  readonly counterparty?: string | null
  /** What it alone was for. There is never a second one of the project with the same `key`. */
  readonly purpose?: Purpose & { readonly key?: string }
}

/** Changes the balance of an account that is locked, by a line that is to be posted in the same transaction. */
export function lineOf(
  account: Account,
  amount: bigint,
  about: Pick<Line, 'counterparty' | 'purpose'> = {}
): Line {
  account.balance += amount
  return { account, amount, balance: account.balance, ...about }
}

/** A transaction of the ledger. Its lines sum to zero. */
export interface Posting extends Owned, Purpose {
  readonly kind: TransactionKind
  /** What it is for: there is never a second one of the project for the same. */
  readonly key: string
  /** Of what was asked for, to tell a repetition from something else under the same key. */
  readonly digest?: string
  readonly actor: string
  readonly reason?: string | null
  readonly lines: readonly Line[]
}

/** What a model was asked for, in one call or several. */
export interface Spent {
  readonly modelProvider: string | null
  readonly modelId: string | null
  readonly usage: {
    inputTokens: number
    cachedTokens: number
    cacheWriteTokens?: number
    outputTokens: number
  }
}

/** What is to be charged to a reservation: a run that has ended, or a call of a tool or of a model. */
export type Due =
  | {
      readonly run: {
        readonly runId: string
        readonly sessionId: string
        readonly agentId: string
        /** By model. */
        readonly spent: readonly Spent[]
        /** It asked its model once, and completed: no call of a tool of it is told of later. */
        readonly isAlone?: boolean
      }
    }
  | {
      /** A model, for what is no step of a run. */
      readonly asked: {
        readonly runId: string | null
        readonly sessionId: string | null
        readonly agentId: string
        readonly modelProvider: string
        readonly modelId: string
        readonly usage: Spent['usage']
      }
    }
  | {
      /** A model that drew, spoke or heard. */
      readonly media: {
        readonly agentId: string | null
        readonly modelProvider: string
        readonly modelId: string
        readonly medium: 'image' | 'speech' | 'transcription'
        readonly quantity: number
      }
    }
  | {
      readonly call: {
        readonly callId: string
        readonly runId: string | null
        readonly agentId: string
        readonly toolName: string
      }
    }

/** What may still be spent by a run, or by a call outside of runs. */
export interface Reservation extends Owned {
  readonly id: string
  readonly accountId: string
  amount: bigint
  /** Of that what is for calls of tools under way. */
  calls: bigint
  /** Caps that count it. */
  readonly caps: readonly string[]
  readonly agentId: string | null
  readonly sessionId: string | null
  /** Of a run: by which it was admitted. */
  readonly modelProvider?: string | null
  readonly modelId?: string | null
  readonly isRun: boolean
  /** ISO 8601. */
  readonly createdAt: string
  /** What is to be charged, if anything: calls before the run. What is posted was told of before. */
  readonly due?: readonly { readonly key: string; readonly due: Due; readonly isPosted: boolean }[] | null
  isSettled: boolean
}

/** A cap as it is locked. */
export interface LockedCap extends Owned {
  readonly id: string
  readonly agentId: string | null
  readonly sessionId: string | null
  /** Which block of tokens it counts; null: one that people made. */
  readonly token: string | null
  readonly limit: bigint
  reserved: bigint
  spent: bigint
  /** Per cent of which facts have told in this window: 0, 80 or 100. */
  told: number
  /** The day or month that is now. */
  readonly window: string
}
