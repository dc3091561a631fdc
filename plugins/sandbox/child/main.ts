import ivm from 'isolated-vm'
import type { Beginning, ProgramLimits } from '../wire.ts'
import { createOutbox, fieldsOf, lineOf } from '../wire.ts'
import { createMemoryWatch } from './memory.ts'
import type { Program } from './program.ts'
import { openProgram } from './program.ts'

// A process for programs of strangers, started by the pool. It sends `ready`, is told how it begins, and then lines.

const WATCH_MS = 10
const MEGABYTE = 1_048_576

function serve({ library, memoryMb, account }: Beginning): void {
  if (account) giveUpRoot(account)
  const snapshot = ivm.Isolate.createSnapshot([{ code: library, filename: 'library.js' }])
  const programs = new Map<string, Program>()
  /** Which program a call is in. */
  const calls = new Map<string, Program>()
  const memory = createMemoryWatch(memoryMb * MEGABYTE)
  let isSpent = false
  let watching: NodeJS.Timeout | undefined

  const send = createOutbox((text) => process.send?.(text), setImmediate)
  const die = (number: string, reason: string) => send(lineOf('d', number, JSON.stringify(reason)))

  function open(number: string, limits: ProgramLimits, text: string): void {
    const hearing = {
      say(line: string) {
        if (/^[rfF]/.test(line)) calls.delete(fieldsOf(line, 3)[1] ?? '')
        send(line)
      },
      fatal: (reason: string) => die(number, reason),
      gone() {
        programs.delete(number)
        memory.forget(number)
        send(lineOf('g', number))
      }
    }
    programs.set(number, openProgram(number, { text, limits, snapshot }, hearing))
    watch()
  }

  /** Looks after all programs that have something to do, and after the memory of the process. */
  function watch(): void {
    watching ??= setInterval(() => {
      let [worker, most, isBusy] = ['', 0, false]
      for (const [number, program] of programs) {
        if (!program.isBusy()) continue
        isBusy = true
        const took = program.watch()
        if (took > most) [worker, most] = [number, took]
      }
      const { isOver, culprit } = memory.look(worker)
      if (isOver) spare(culprit)
      if (isBusy) return
      clearInterval(watching)
      watching = undefined
    }, WATCH_MS)
  }

  /** Too much memory is in use. Where nobody is to blame, what is idle goes, and the process with its last call. */
  function spare(culprit: string): void {
    if (culprit !== '') die(culprit, 'memory_exceeded')
    else if (!isSpent) {
      isSpent = true
      for (const program of programs.values()) if (program.isIdle()) program.close()
      send('w')
    }
  }

  const kinds: Record<string, (line: string) => void> = {
    p(line) {
      const [, number = '', limits = '', text = ''] = fieldsOf(line, 4)
      open(number, JSON.parse(limits), JSON.parse(text))
    },
    c(line) {
      const [, id = '', number = '', rest = ''] = fieldsOf(line, 4)
      const program = programs.get(number)
      // It went while the call was on its way: it is loaded again, and called again.
      if (!program) return send(lineOf('n', id))
      calls.set(id, program)
      program.begin(id, lineOf('c', id, rest))
      watch()
    },
    a(line) {
      const id = fieldsOf(line, 3)[1] ?? ''
      calls.get(id)?.answer(id, line)
    },
    x(line) {
      const [, id = '', isLate] = fieldsOf(line, 3)
      calls.get(id)?.leave(id, isLate === '1')
      calls.delete(id)
      watch()
    },
    e(line) {
      programs.get(fieldsOf(line, 2)[1] ?? '')?.close()
    },
    '?'() {
      const took: string[] = []
      for (const [id, program] of calls) {
        const ms = program.took(id)
        if (ms >= 1) took.push(`${id}:${ms.toFixed(3)}`)
      }
      send(lineOf('!', took.join()))
    }
  }
  process.on('message', (text: string) => {
    for (const line of text.split('\n')) kinds[line[0] ?? '']?.(line)
  })
  send('!')
}

/** For good: from here on this process can do what that account can, which owns nothing. */
function giveUpRoot({ uid, gid }: { uid: number; gid: number }): void {
  process.setgroups?.([])
  process.setgid?.(gid)
  process.setuid?.(uid)
  if (process.getuid?.() !== uid) throw new Error('It is still root')
}

process.once('message', (beginning) => serve(beginning as Beginning))
// Threads of programs may be in endless loops, so that no other way out is sure.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.send?.('ready')
