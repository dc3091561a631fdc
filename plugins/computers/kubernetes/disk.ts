import type { ExecEnd } from '../guest/orders.ts'
import { HOME } from '../local/surroundings.ts'
import type { Machine } from '../provider/machine.ts'

const LOOK_EVERY_MS = 20_000
/** Of what is too much already. */
const SLACK = 1_048_576
const COUNT = 'exec nice -n 19 du -skx .'

/** Bytes of the home, as a program in the computer counts them; undefined where it says nothing of the kind. */
async function measure(machine: Machine): Promise<number | undefined> {
  let said = ''
  const order = { op: 'exec', argv: ['/bin/sh', '-c', COUNT], cwd: HOME, env: {}, most: 1_000 } as const
  const output = (bytes: Buffer) => {
    if (said.length < 1_000) said += bytes
  }
  const task = machine.perform<ExecEnd>(order, { output, background: true })
  task.inputEnd()
  await task.done.catch(() => undefined)
  const [, kilobytes] = /^(\d{1,12})\s/.exec(said) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024
}

/**
 * Looks at the disk while the computer is awake, tells what it takes, and ends it where that is more than it may. The volume is the
 * limit that holds: one whose storage class knows no sizes has this one, which a program in the computer may deceive.
 */
export async function watchDisk(
  machine: Machine,
  storageMb: number,
  tell: (bytes: number) => void
): Promise<void> {
  const over = machine.ended.then(() => true)
  const most = storageMb * 1_048_576
  let allowed: number | undefined
  for (;;) {
    const used = await measure(machine)
    if (used !== undefined) {
      tell(used)
      // What is too much when it wakes may be deleted, but not be more.
      allowed ??= used < most ? most : used + SLACK
      if (used > allowed) return machine.stop('storage_exceeded')
    }
    let timer: NodeJS.Timeout | undefined
    const pause = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), LOOK_EVERY_MS).unref()
    })
    const isOver = await Promise.race([over, pause])
    clearTimeout(timer)
    if (isOver) return
  }
}

/** The same machine, whose disk is looked at once more before it is put to sleep. */
export function measuredAtSleep(
  machine: Machine,
  tell: (bytes: number) => void,
  patienceMs: number
): Machine {
  return {
    ...machine,
    get busy() {
      return machine.busy
    },
    get usedAt() {
      return machine.usedAt
    },
    async stop(reason = 'asked') {
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), patienceMs)
      })
      const used = reason === 'asked' ? await Promise.race([measure(machine), patience]) : undefined
      clearTimeout(timer)
      if (used !== undefined) tell(used)
      await machine.stop(reason)
    }
  }
}
