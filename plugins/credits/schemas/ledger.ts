import { Closed, Data, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Amount, Shown } from './amount.ts'

const tags = ['credits']
const id = Type.String({ maxLength: 128 })
const ofOwner = {
  owner: Type.Optional(
    Type.String({ maxLength: 128, description: 'Of that person: for services, and with `platform:admin`' })
  )
}
export const kinds = ['usage', 'grant', 'debit', 'gift', 'campaign', 'topup'] as const

export const Balance = Type.Object(
  {
    owner: Type.String(),
    unlimited: Type.Boolean({ description: 'Runs cost nothing in this project' }),
    balance: Shown('All credits of the account'),
    reserved: Shown('Of that what runs under way may still cost'),
    available: Shown('What is left for others')
  },
  { title: 'CreditBalance' }
)
export type Balance = Static<typeof Balance>

export const Entry = Type.Object(
  {
    id,
    transactionId: id,
    kind: Type.Enum([...kinds]),
    amount: Shown('Added to the account; below zero: taken from it'),
    balance: Shown('Of the account, behind it'),
    reason: OrNull(Type.String()),
    counterparty: OrNull(Type.String({ description: 'Of a gift: who gave or got it' })),
    agentId: OrNull(Type.String()),
    sessionId: OrNull(Type.String()),
    runId: OrNull(Type.String()),
    modelProvider: OrNull(Type.String()),
    modelId: OrNull(Type.String()),
    toolName: OrNull(Type.String()),
    quantity: OrNull(
      Type.Record(Type.String(), Type.Number(), { description: 'What was used: tokens, calls' })
    ),
    price: OrNull(
      Type.Record(Type.String(), Type.String(), {
        description: 'The version of the catalogue that it was charged by, as it was'
      })
    ),
    createdAt: Time
  },
  { title: 'CreditEntry' }
)
export type Entry = Static<typeof Entry>
/** As the database has it: amounts are texts of millionths. */
export type StoredEntry = Entry

const during = {
  from: Type.Optional(Type.String({ format: 'date-time', description: 'From then on' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Before then' }))
}
const LedgerQuery = Type.Object({
  ...Paging,
  ...ofOwner,
  ...during,
  kind: Type.Optional(Type.Enum([...kinds])),
  agentId: Type.Optional(id),
  sessionId: Type.Optional(id),
  runId: Type.Optional(id),
  modelProvider: Type.Optional(id),
  modelId: Type.Optional(Type.String({ maxLength: 256 })),
  toolName: Type.Optional(id)
})
export type LedgerQuery = Static<typeof LedgerQuery>

const SummaryQuery = Type.Object({
  ...ofOwner,
  ...during,
  by: Type.Optional(Type.Enum(['agent', 'model', 'tool', 'day'], { default: 'day' }))
})
export type SummaryQuery = Static<typeof SummaryQuery>

const Summary = Type.Object(
  {
    from: Time,
    to: Time,
    by: Type.String(),
    spent: Shown('By usage'),
    totals: Type.Array(
      Type.Object({ kind: Type.String(), received: Shown('Came in'), spent: Shown('Went out') }),
      { description: 'By why: usage, grants, gifts …' }
    ),
    groups: Type.Array(
      Type.Object({
        key: OrNull(Type.String({ description: 'The agent, model, tool or day; null: none' })),
        spent: Shown('By usage'),
        entries: Type.Integer()
      }),
      { description: 'At most 400: days in order, else what cost most first' }
    )
  },
  { title: 'CreditSummary' }
)
export type Summary = Static<typeof Summary>

const Reason = Type.String({ minLength: 1, maxLength: 500, description: 'Stands in the ledger' })
const NewPosting = Closed({
  owner: Type.String({ pattern: '^[\\x21-\\x7e]{1,128}$', description: 'Whose account' }),
  amount: Amount('How much'),
  reason: Reason,
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'What it is for: there is one of the project for it, however often it is asked for'
    })
  )
})
export type NewPosting = Static<typeof NewPosting>

export const readBalance = {
  tags,
  summary: 'Current balance',
  querystring: Type.Object(ofOwner),
  response: { 200: Data(Balance) }
}
export const listLedger = {
  tags,
  summary: 'Ledger entries',
  description: 'Newest first. An agent sees its own.',
  querystring: LedgerQuery,
  response: { 200: Page(Entry) }
}
export const readSummary = {
  tags,
  summary: 'Rolled-up usage',
  description:
    'What was spent, by day, agent, model or tool; of the last 30 days where no time is given, and of 400 days at most.',
  querystring: SummaryQuery,
  response: { 200: Data(Summary) }
}
export const createGrant = {
  tags,
  summary: 'Grant credits (admin)',
  description:
    'A repetition under the same `reference` gives the entry that was made; 409 `reference_taken` where it says something else.',
  body: NewPosting,
  response: { 201: Data(Entry) }
}
export const createDebit = {
  tags,
  summary: 'Debit credits (admin)',
  description: 'As a grant. 409 `credits_exhausted` where the account has less available.',
  body: NewPosting,
  response: { 201: Data(Entry) }
}
