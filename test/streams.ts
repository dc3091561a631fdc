import { EventEmitter } from 'node:events'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import type { Knex } from 'knex'
import pg from 'pg'
import type { Failure } from '../kernel/contract/errors.ts'
import { failureTypes } from '../kernel/contract/errors.ts'
import { openDatabase } from '../kernel/database/connect.ts'
import type { Hot } from '../kernel/database/hot.ts'
import { up } from '../kernel/database/migrations/0006-create-stream.ts'
import type { Chunk, Log, Options } from '../kernel/streams/log.ts'
import { channel, createStreams } from '../kernel/streams/log.ts'
import type { Served } from '../kernel/streams/stream.ts'
import type { Connection } from './database.ts'
import { database } from './database.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

export interface Instance extends Log {
  readonly hot: Hot
  /** Stops and goes on hearing notifications, as a listener does whose connection breaks. */
  deaf(): Promise<void>
  listen(): Promise<void>
}

export interface Event {
  readonly type: string
  readonly seq: number
  readonly at?: string
  readonly runId: string
  readonly content?: string
}

/** A database with the streams' table, and any number of instances on it that hear each other's signals. */
export async function testbed(t: Scope) {
  const { connection, knex } = await database(t)
  await knex.raw('create schema if not exists kernel')
  await up(knex)
  const bus = new EventEmitter()
  const signals: Options['signals'] = {
    send: (topic, data) => void queueMicrotask(() => bus.emit(topic, data)),
    on(topic, hear) {
      bus.on(topic, hear)
      return { [Symbol.dispose]: () => void bus.off(topic, hear) }
    }
  }

  async function instance(options: Partial<Options> = {}, at: Connection = connection): Promise<Instance> {
    const opened = openDatabase(at)
    const log = createStreams({ hot: opened.hot, signals, pollMs: 20, ...options })
    let listener: pg.Client | undefined
    async function deaf() {
      log.lost()
      const was = listener
      listener = undefined
      await was?.end()
    }
    async function listen() {
      listener = new pg.Client(connection)
      await listener.connect()
      listener.on('notification', ({ payload = '' }) => log.heard(payload))
      await listener.query(`listen ${channel}`)
      log.restored()
    }
    t.teardown(async () => {
      await log.close()
      await deaf()
      await opened.close()
    })
    return { ...log, hot: opened.hot, deaf, listen }
  }
  return { connection, knex, instance, signals }
}

export const chunks = (knex: Knex, stream: string) =>
  knex('kernel.stream_chunk').where({ stream }).orderBy('seq') as Promise<
    { seq: number; last: number; ended: boolean; body: string }[]
  >

/** Commits a chunk in a statement of the caller's; undefined when it is refused. */
export const insert = async ({ hot }: Pick<Instance, 'hot'>, { fragment: { text, values } }: Chunk) =>
  (await hot.query<{ stream: string }>('test.chunk', text, values))[0]?.stream

/** Everything that a stream gives from `after` on, until it ends. */
export async function readAll(log: Log, stream: string, after = -1): Promise<Event[]> {
  const events: Event[] = []
  for await (const body of log.streams.follow('p', stream, after)) events.push(...parse(body))
  return events
}

export const parse = (body: string): Event[] => body.split('\n').map((line) => JSON.parse(line) as Event)
export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** A server whose `/:stream` is answered by that instance. */
export async function serving(
  t: Scope,
  log: Log,
  streamOf: (name: string) => Served['stream'] = (name) => name
): Promise<{ url: string; app: FastifyInstance }> {
  const app = Fastify({ forceCloseConnections: true })
  app.route({
    method: ['GET', 'POST'],
    url: '/:stream',
    handler(request, reply) {
      const { stream } = request.params as { stream: string }
      reply.header('x-run-id', stream)
      return log.streams.serve(request, reply, { project: 'p', stream: streamOf(stream), idField: 'runId' })
    }
  })
  app.setErrorHandler((error: Failure, _request, reply) =>
    reply.code(failureTypes[error.kind]?.status ?? 500).send({ param: error.param })
  )
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  return { url, app }
}
