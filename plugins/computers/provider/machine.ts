import type { Duplex } from 'node:stream'
import { createConnections } from '../guest/connections.ts'
import type { Frame } from '../guest/frames.ts'
import {
  createDecoder,
  END,
  ERROR_OUTPUT,
  encode,
  encodeJson,
  INPUT,
  INPUT_END,
  OPEN,
  OUTPUT,
  PAUSE,
  PING,
  RESIZE,
  RESUME,
  SIGNAL,
  split
} from '../guest/frames.ts'
import type { Fault, Order, TerminalSize } from '../guest/orders.ts'
import type { Egress } from './egress.ts'
import { askMemory } from './memory.ts'

/** Why a computer has ended. */
export type Ending = 'asked' | 'storage_exceeded' | 'lost'

/** Hears what comes of an order. */
export interface Hearing {
  output?(bytes: Buffer): void
  errorOutput?(bytes: Buffer): void
  /** It goes on for as long as the computer is awake, and keeps it from no sleep. */
  readonly background?: boolean
}

/** An order that a computer carries out. */
export interface Task<T> {
  /** What it answered; a `Fault` where it could not. Rejects with `computer_lost` where the computer ended before. */
  readonly done: Promise<T | Fault>
  /** False while the computer takes no more: see `drained`. */
  input(bytes: Uint8Array): boolean
  drained(): Promise<void>
  inputEnd(): void
  /** A computer that goes on with what was killed is ended. */
  signal(name: string): void
  /** Whether it is to say more for now. One that does not heed it goes on: what hears it has a cap. */
  flow(isFree: boolean): void
  resize(size: TerminalSize): void
}

/** A computer that is awake. What it says is not believed any further than its own caller would be. */
export interface Machine {
  /** Resolves once, when it has ended, whatever way. */
  readonly ended: Promise<Ending>
  /** Orders under way. */
  readonly busy: number
  /** When an order was last under way, in milliseconds since 1970. */
  readonly usedAt: number
  perform<T>(order: Order, hearing?: Hearing): Task<T>
  /** While it is held it is not idle; what it returns lets go. */
  hold(): () => void
  /** Ends all that runs in it; resolves when it is over. */
  stop(reason?: Ending): Promise<void>
  /** Memory in bytes that all of it takes; undefined where nobody can tell. */
  memory(): Promise<number | undefined>
}

const LOST = 'The computer ended before the answer'
/** Of a computer's answer, as JSON. */
const MOST_END = 262_144
const SILENCE_MS = 30_000
/** It is asked so often before it is given up. */
const BEATS = 3

interface Channel extends Hearing {
  end(value: unknown): void
  lose(error: Error): void
}

interface Running {
  readonly connection: Duplex
  readonly stop: (reason: Ending) => void
  readonly ended: Promise<Ending>
  /** Where the provider cannot tell, the computer is asked. */
  readonly memory?: () => Promise<number | undefined>
  /** How long it may say nothing at all while it has an order. */
  readonly silenceMs?: number | undefined
  /** Where its way out leads, where that goes by this connection. */
  readonly egress?: Egress
}

/** The platform's end of the connection; resolves when the computer has said that it is ready. */
export async function createMachine({
  connection,
  stop,
  ended,
  memory,
  silenceMs = SILENCE_MS,
  egress
}: Running): Promise<Machine> {
  const channels = new Map<number, Channel>()
  const decode = createDecoder()
  let last = 0
  let holds = 0
  let usedAt = Date.now()
  let unanswered = 0

  const lost = () => Object.assign(new Error(LOST), { code: 'computer_lost' })
  const write = (frame: Buffer) => (connection.writable ? connection.write(frame) : true)
  const connections = createConnections(write, (stream) => egress?.accept(stream))
  const isReady = new Promise<void>((resolve, reject) => {
    channels.set(0, { end: () => resolve(), lose: reject })
  })

  function hear(frame: Frame): void {
    if (egress && connections.hear(frame)) return
    const { channel, kind, body } = frame
    const task = channels.get(channel)
    if (!task) return
    if (kind === OUTPUT) task.output?.(body)
    else if (kind === ERROR_OUTPUT) task.errorOutput?.(body)
    else if (kind === END) {
      if (body.length > MOST_END) throw new Error('An answer is too long')
      // One that cannot be read ends the computer, of which the task has to hear.
      const answer = body.length === 0 ? undefined : JSON.parse(body.toString())
      channels.delete(channel)
      if (!task.background) usedAt = Date.now()
      task.end(answer)
    }
  }

  // One that was stopped from inside would keep whoever asked it waiting for ever.
  const beat = setInterval(() => {
    if (channels.size === 0) unanswered = 0
    else if (unanswered++ < BEATS) write(encode(0, PING))
    else stop('lost')
  }, silenceMs / BEATS).unref()

  connection.on('data', (bytes: Buffer) => {
    unanswered = 0
    try {
      for (const frame of decode(bytes)) hear(frame)
    } catch {
      // It does not speak as it should: something in it has taken the place of what listens.
      stop('lost')
    }
  })
  connection.on('error', () => stop('lost'))
  connection.on('end', () => stop('lost'))
  void ended.then(() => {
    clearInterval(beat)
    for (const { lose } of channels.values()) lose(lost())
    channels.clear()
    connections.close()
    connection.destroy()
  })

  function perform<T>(order: Order, hearing: Hearing = {}): Task<T> {
    const channel = ++last
    if (!hearing.background) usedAt = Date.now()
    const done = new Promise<T | Fault>((resolve, reject) => {
      if (!connection.writable) return reject(lost())
      channels.set(channel, { ...hearing, end: (value) => resolve(value as T), lose: reject })
      write(encodeJson(channel, OPEN, order))
    })
    done.catch(() => undefined)
    return {
      done,
      input(bytes) {
        let isFree = true
        for (const frame of split(channel, INPUT, bytes)) isFree = write(frame)
        return isFree
      },
      drained: () =>
        new Promise((then) => {
          if (!connection.writableNeedDrain || !connection.writable) return then()
          connection.once('drain', then)
          connection.once('close', then)
        }),
      inputEnd: () => void write(encode(channel, INPUT_END)),
      signal(name) {
        write(encode(channel, SIGNAL, Buffer.from(name)))
        if (name !== 'SIGKILL') return
        // What answers, but does not end what was killed, is no guest of ours.
        setTimeout(() => channels.has(channel) && stop('lost'), silenceMs).unref()
      },
      flow: (isFree) => void write(encode(channel, isFree ? RESUME : PAUSE)),
      resize: (size) => void write(encodeJson(channel, RESIZE, size))
    }
  }

  await isReady
  return {
    ended,
    memory: memory ?? askMemory(() => perform({ op: 'memory' }, { background: true }).done),
    perform,
    get busy() {
      return [...channels.values()].filter(({ background }) => !background).length + holds
    },
    get usedAt() {
      return usedAt
    },
    hold() {
      holds++
      let isHeld = true
      return () => {
        if (isHeld) holds--
        isHeld = false
        usedAt = Date.now()
      }
    },
    async stop(reason = 'asked') {
      stop(reason)
      await ended
    }
  }
}
