import type { Static } from 'typebox'
import { Type } from 'typebox'

export const SpaceSettings = Type.Object({
  members: Type.Integer({
    env: 'SPACES_MEMBERS',
    minimum: 1,
    maximum: 100_000,
    default: 1_000,
    description: 'Members of a space'
  }),
  streams: Type.Integer({
    env: 'SPACES_STREAMS',
    minimum: 1,
    maximum: 100_000,
    default: 10,
    description: 'Streams of one caller in a space, on each instance'
  }),
  signalsPerMinute: Type.Integer({
    env: 'SPACES_SIGNALS_PER_MINUTE',
    minimum: 1,
    maximum: 100_000,
    default: 120,
    description: 'Signals of a principal, such as that it types'
  }),
  agentTurns: Type.Integer({
    env: 'SPACES_AGENT_TURNS',
    minimum: 1,
    maximum: 50,
    default: 4,
    description: 'How many agents answer one another, each the one before, since a person spoke'
  }),
  answersPerMessage: Type.Integer({
    env: 'SPACES_ANSWERS_PER_MESSAGE',
    minimum: 1,
    maximum: 1_000,
    default: 20,
    description: 'Answers of agents that go back to one message of a person, in all'
  }),
  answersPerMinute: Type.Integer({
    env: 'SPACES_ANSWERS_PER_MINUTE',
    minimum: 1,
    maximum: 10_000,
    default: 30,
    description: 'Answers of agents in a space'
  }),
  keptEvents: Type.Integer({
    env: 'SPACES_KEPT_EVENTS',
    minimum: 100,
    maximum: 10_000_000,
    default: 100_000,
    description: 'Latest events of a space, and of its fleet, that are kept for those who follow'
  }),
  livekitUrl: Type.Optional(
    Type.String({ env: 'LIVEKIT_URL', pattern: '^wss?://[^\\s]+$', description: 'Of the LiveKit server' })
  ),
  livekitApiKey: Type.Optional(
    Type.String({ env: 'LIVEKIT_API_KEY', minLength: 1, description: 'Names who signs its tickets' })
  ),
  livekitApiSecret: Type.Optional(
    Type.String({
      env: 'LIVEKIT_API_SECRET',
      minLength: 32,
      secret: true,
      description: 'What its tickets are signed with'
    })
  )
})
export type SpaceSettings = Static<typeof SpaceSettings>
