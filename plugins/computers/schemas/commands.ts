import { Closed, Data, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { params } from './computers.ts'

const bytes = (what: string) =>
  Type.Integer({ description: `Bytes of ${what}, those that are not shown as well` })
const rest = (what: string) =>
  OrNull(
    Type.String({ description: `File of the computer that has what is more of ${what}, below its home` })
  )
export const Command = Type.Object(
  {
    id: Type.String({ examples: ['command_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    agentId: Type.String(),
    source: Type.Enum(['exec', 'queue', 'tool']),
    status: Type.Enum(['queued', 'running', 'completed', 'failed', 'cancelled'], {
      description: '`failed`: it ended with another code than 0, or not by itself'
    }),
    command: OrNull(Type.String({ description: 'Of the shell' })),
    argv: OrNull(Type.Array(Type.String(), { description: 'Program and arguments, without a shell' })),
    cwd: Type.String(),
    timeLimit: Type.Integer({ description: 'Seconds' }),
    exitCode: OrNull(Type.Integer()),
    signal: OrNull(Type.String({ description: 'That ended it', examples: ['SIGKILL'] })),
    reason: OrNull(
      Type.Enum(['time_exceeded', 'storage_exceeded', 'computer_lost', 'computer_stopped', 'not_started'], {
        description: 'Why it did not end by itself'
      })
    ),
    stdout: Type.String({
      description: 'Its beginning, as UTF-8; written by programs of others, and to be trusted by no one'
    }),
    stderr: Type.String({ description: 'The same of standard error' }),
    stdoutBytes: bytes('standard output'),
    stderrBytes: bytes('standard error'),
    stdoutFile: rest('standard output'),
    stderrFile: rest('standard error'),
    milliseconds: OrNull(Type.Integer()),
    createdAt: Time,
    startedAt: OrNull(Time),
    endedAt: OrNull(Time)
  },
  { title: 'Command' }
)
const word = Type.String({ maxLength: 131_072, pattern: '^[^\\u0000]*$' })
export const NewCommand = Type.Object(
  {
    command: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 131_072,
        pattern: '^[^\\u0000]*$',
        description: 'For `/bin/sh -c`'
      })
    ),
    argv: Type.Optional(
      Type.Array(word, { minItems: 1, maxItems: 1_000, description: 'In place of it: program and arguments' })
    ),
    cwd: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_096,
        pattern: '^[^\\u0000]*$',
        default: '.',
        description: 'Below the home, or absolute'
      })
    ),
    env: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$' }), word, {
        maxProperties: 100,
        description: 'Beside what it has; never shown, and not kept longer than until it begins'
      })
    ),
    stdin: Type.Optional(Type.String({ maxLength: 1_048_576, description: 'Then its input ends' })),
    timeLimit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        default: 60,
        description: 'Seconds, after which all that it started is killed'
      })
    )
  },
  {
    title: 'NewCommand',
    additionalProperties: false,
    examples: [
      { command: 'ls -la && echo done' },
      { argv: ['node', 'build.js'], cwd: 'site', timeLimit: 120 }
    ]
  }
)
export type Command = Static<typeof Command>
export type NewCommand = Static<typeof NewCommand>

/** `sealed`: environment and input of one that waits. `instance`: that runs it. */
export const commands = table<
  typeof Command,
  { computerId: string; instance: number | null; sealed: string | null }
>('computers.command', Command, { also: ['computerId', 'instance', 'sealed'] })
export type CommandRow = NonNullable<Awaited<ReturnType<typeof commands.find>>>

const tags = ['computers']
const id = Type.String()
const Output = Closed({
  type: Type.Enum(['started', 'stdout', 'stderr', 'ended'], {
    description: '`stdout` and `stderr` have `content`, `ended` the command'
  }),
  seq: Type.Integer(),
  commandId: id,
  at: Time,
  content: Type.Optional(id),
  command: Type.Optional(Command)
})
const inCommand = Type.Object({ agentId: id, commandId: id })
const both = {
  description: 'The command',
  content: {
    'application/json': { schema: Data(Command) },
    'text/event-stream': { schema: Output }
  }
}
const off = '409 `computer_off` while the computer is not enabled.'

export const execCommand = {
  tags,
  summary: 'Run a command',
  description: `Wakes the computer, and answers when the command has ended, however that was. By \`Accept: text/event-stream\` its outputs as they come; the command goes on where the reader leaves, and \`GET …/commands/:commandId\` follows it further. ${off}`,
  params,
  body: NewCommand,
  response: { 200: both, 409: {}, 503: {} }
}
export const queueCommand = {
  tags,
  summary: 'Queue a command',
  description: `Commands in the queue of a computer run one after the other, in their order, and wake it. ${off}`,
  params,
  body: NewCommand,
  response: { 201: Data(Command), 409: {}, 429: {} }
}
export const listCommands = {
  tags,
  summary: 'List the commands of a computer',
  params,
  querystring: Type.Object({
    ...Paging,
    status: Type.Optional(Command.properties.status),
    source: Type.Optional(Command.properties.source)
  }),
  response: { 200: Page(Command) }
}
export const readCommand = {
  tags,
  summary: 'Get a command and what it wrote',
  description:
    'By `Accept: text/event-stream` one that was begun with it is followed, from `after`, else `Last-Event-ID`.',
  params: inCommand,
  querystring: Type.Object({ after: Type.Optional(Type.Integer({ minimum: -1 })) }),
  response: { 200: both, 410: {} }
}
export const cancelCommand = {
  tags,
  summary: 'Cancel a command',
  description: 'Ends all that it started. 409 `ended` for one that has ended.',
  params: inCommand,
  response: { 200: Data(Command), 409: {} }
}
