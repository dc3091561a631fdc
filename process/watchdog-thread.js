// Plain JavaScript: a thread that strips types takes ten times the memory.
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

const LOOK_MS = 1_000
const FATAL = 60
const STDOUT = 1
/** @type {import('./watchdog.ts').Watched} */
const { turns, looks } = workerData
let seen = -1
let silent = 0

setInterval(() => {
  const now = Atomics.load(turns, 0)
  silent = now === seen ? silent + 1 : 0
  seen = now
  if (silent < looks) return
  const line = { level: FATAL, time: Date.now(), pid: process.pid, seconds: silent, msg: 'hangs: ended' }
  try {
    writeSync(STDOUT, `${JSON.stringify(line)}\n`)
  } catch {
    // What reads the log may hang as well.
  }
  process.kill(process.pid, 'SIGKILL')
}, LOOK_MS)
