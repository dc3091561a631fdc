import type { Static } from 'typebox'
import { Type } from 'typebox'

const seconds = (env: string, value: number, description: string) =>
  Type.Integer({ env, minimum: 1, maximum: 86_400, default: value, description })

export const RunSettings = Type.Object({
  contextTokens: Type.Optional(
    Type.Integer({
      env: 'RUN_CONTEXT_TOKENS',
      minimum: 256,
      description:
        'Maximum number of tokens in a prompt and its response; a smaller context window of the model applies first. Empty: the context window, or 32,000 if it is not known'
    })
  ),
  contextMessages: Type.Optional(
    Type.Integer({
      env: 'RUN_CONTEXT_MESSAGES',
      minimum: 1,
      maximum: 10_000,
      description: 'Maximum number of messages of a session in a prompt. Empty: as many as fit, up to 2,000'
    })
  ),
  compactAt: Type.Number({
    env: 'RUN_COMPACT_AT',
    minimum: 0.3,
    maximum: 1,
    default: 0.8,
    description:
      'Share of the context budget from which a prompt is compacted: old tool results become references, older messages a summary. 1: never; the oldest messages are left out'
  }),
  compactModel: Type.Optional(
    Type.String({
      env: 'RUN_COMPACT_MODEL',
      pattern: '^[^/]+/.+$',
      maxLength: 300,
      description: 'Model that writes summaries, as provider/model. Empty: the model of the agent'
    })
  ),
  maxSteps: Type.Integer({
    env: 'RUN_MAX_STEPS',
    minimum: 1,
    maximum: 1_000,
    default: 50,
    description: 'Calls of the model in one run, at most'
  }),
  loopHintAfter: Type.Integer({
    env: 'RUN_LOOP_HINT_AFTER',
    minimum: 0,
    maximum: 1_000,
    default: 3,
    description:
      'Number of failures in a row of a tool call with the same arguments after which the model is told that it repeats itself. 0: never'
  }),
  loopEndAfter: Type.Integer({
    env: 'RUN_LOOP_END_AFTER',
    minimum: 0,
    maximum: 1_000,
    default: 6,
    description:
      'Number of failures in a row of a tool call with the same arguments after which the run ends with loop_detected. 0: never'
  }),
  maxCharacters: Type.Integer({
    env: 'RUN_MAX_CHARACTERS',
    minimum: 1_000,
    default: 1_000_000,
    description: 'Characters of one reply, at most'
  }),
  modelRetries: Type.Integer({
    env: 'RUN_MODEL_RETRIES',
    minimum: 0,
    maximum: 10,
    default: 2,
    description: 'Further tries of a call of the model that failed before it said anything'
  }),
  modelPatienceSeconds: Type.Integer({
    env: 'RUN_MODEL_PATIENCE_SECONDS',
    minimum: 0,
    maximum: 86_400,
    default: 300,
    description:
      'Time in seconds for which a run that has called tools retries a model that is overloaded, rate-limited or unreachable; 0: only modelRetries'
  }),
  idleSeconds: seconds(
    'RUN_IDLE_SECONDS',
    120,
    'Time in seconds without any data from a model, pings and comments included, after which its call fails'
  ),
  replySeconds: seconds(
    'RUN_REPLY_SECONDS',
    1_800,
    'Maximum time of one reply of a model in seconds, however much of it has come'
  ),
  runSeconds: seconds('RUN_SECONDS', 3_600, 'Seconds that a run may take, waiting not counted'),
  callerSeconds: seconds(
    'RUN_CALLER_SECONDS',
    600,
    'Seconds that a caller has to answer a call of its tools'
  ),
  approvalSeconds: seconds(
    'RUN_APPROVAL_SECONDS',
    3_600,
    'Seconds until a call without an approval is an error for the model'
  ),
  maxQueued: Type.Integer({
    env: 'RUN_MAX_QUEUED',
    minimum: 0,
    default: 100,
    description: 'Runs that may wait in one session, at most'
  }),
  maxDescendants: Type.Integer({
    env: 'RUN_MAX_DESCENDANTS',
    minimum: 0,
    default: 100,
    description:
      'Runs that may descend from one, at most: those that it has started, and those that these have'
  })
})
export type RunSettings = Static<typeof RunSettings>
