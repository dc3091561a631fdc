import { defineApp } from 'agent-platform-app'
import * as Type from 'typebox'
import { changed, decisionOf } from './decisions.ts'

const Status = Type.Union([Type.Literal('open'), Type.Literal('accepted'), Type.Literal('dropped')])
const Decision = Type.Object({
  id: Type.String(),
  title: Type.String(),
  reason: Type.String(),
  status: Status,
  votes: Type.Integer(),
  voted: Type.Boolean({ description: 'Whether you voted for it' }),
  mine: Type.Boolean({ description: 'Whether you proposed it' }),
  proposedAt: Type.String()
})
const Chosen = Type.Object({ id: Type.String() })

/** What a team decided, and why. Proposals and votes are everybody's, how one looks at them is one's own. */
export default defineApp({
  manifest: {
    id: 'decision-log',
    name: 'Decision log',
    version: '1.0.0',
    description:
      'Keeps what a team decides, with the reasons: anybody proposes and votes, on a page or through an agent.',
    storage: {
      keyValue: true,
      collections: [{ name: 'decisions', scope: 'app', indexes: ['status'] }],
      quotaBytes: 10_000_000
    },
    functions: [
      {
        name: 'list',
        title: 'List decisions',
        description:
          'Proposals and decisions of the team with their reasons, newest first. Ask it before you propose something.',
        input: Type.Object({ status: Type.Optional(Status), cursor: Type.Optional(Type.String()) }),
        output: Type.Object({
          decisions: Type.Array(Decision),
          nextCursor: Type.Union([Type.String(), Type.Null()])
        }),
        tool: true,
        idempotent: true,
        page: 'board'
      },
      {
        name: 'propose',
        title: 'Propose a decision',
        description: 'Puts a proposal before the team, which votes on it.',
        input: Type.Object({
          title: Type.String({ minLength: 1, maxLength: 120, description: 'The decision in one sentence' }),
          reason: Type.String({
            maxLength: 2_000,
            description: 'Why: what speaks for it, and what else was thought of'
          })
        }),
        output: Decision,
        tool: true
      },
      {
        name: 'vote',
        description: 'Votes for an open proposal, or takes the vote back. People do that, not agents.',
        input: Chosen,
        output: Decision
      },
      {
        name: 'settle',
        description: 'Says how it was decided. Who proposed it does that.',
        input: Type.Object({ ...Chosen.properties, status: Status }),
        output: Decision
      }
    ],
    pages: [{ name: 'board', title: 'Decisions', entry: 'pages/board.html' }]
  },
  functions: {
    async list({ status, cursor }, { storage, about }) {
      const { items, nextCursor } = await storage.find({
        collection: 'decisions',
        filter: status === undefined ? {} : { status },
        sort: { by: 'proposedAt', order: 'desc' },
        limit: 50,
        ...(cursor !== undefined && { cursor })
      })
      return { decisions: items.map((it) => decisionOf(it, about.callerId)), nextCursor }
    },

    async propose({ title, reason }, { storage, about }) {
      const proposedAt = new Date().toISOString()
      const document = {
        title,
        reason,
        status: 'open',
        by: about.callerId,
        votes: [about.callerId],
        proposedAt
      }
      return decisionOf(await storage.insert({ collection: 'decisions', document }), about.callerId)
    },

    vote({ id }, { storage, about: { callerId } }) {
      return changed(storage, id, callerId, ({ status, votes }) => {
        if (status !== 'open') throw new Error('It is decided already')
        return {
          votes: votes.includes(callerId) ? votes.filter((it) => it !== callerId) : [...votes, callerId]
        }
      })
    },

    settle({ id, status }, { storage, about: { callerId } }) {
      return changed(storage, id, callerId, ({ by }) => {
        if (by !== callerId) throw new Error('Who proposed it says how it was decided')
        return { status }
      })
    }
  }
})
