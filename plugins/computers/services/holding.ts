import type { Kernel } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Machine } from '../provider/machine.ts'
import type { ComputerRow } from '../stores/computers.ts'
import type { Transitions } from './transitions.ts'

export type Holding = ReturnType<typeof createHolding>

/** A computer that this process holds. */
export interface Slot {
  readonly machine: Promise<Machine>
  row: ComputerRow
  /** Undefined while it wakes. */
  running?: Machine
  /** While it is put to sleep: what it becomes. */
  falling?: Promise<'asleep' | 'off'> | undefined
}
/** A command that this process runs. */
export interface RunningCommand {
  /** Ends it, with that in its record. */
  end(changes: object): void
}
/** It outlives generations, and ends with the process. */
interface Held {
  readonly slots: Map<string, Slot>
  readonly commands: Map<string, RunningCommand>
  /** Of computers in which programs run that may speak to the platform, how many. */
  readonly doors: Map<string, number>
  outgoing: Outgoing
}

interface Deps extends Pick<Kernel, 'shared'> {
  outgoing: Outgoing
  transitions: Transitions
}

/** What this process holds: computers that are awake, and the commands in them. */
export function createHolding({ shared, outgoing, transitions }: Deps) {
  const nothing = (): Held => ({ slots: new Map(), commands: new Map(), doors: new Map(), outgoing })
  let held = nothing()

  return {
    slots: (): Map<string, Slot> => held.slots,
    commands: (): Map<string, RunningCommand> => held.commands,
    doors: (): Map<string, number> => held.doors,
    /** Of the version that serves: computers outlive the one that they were woken by. */
    outgoing: (): Outgoing => held.outgoing,
    machineOf: (id: string): Machine | undefined => held.slots.get(id)?.running,

    async open(): Promise<void> {
      held = await shared<Held>(
        'held/2',
        async () => nothing(),
        async (it) => {
          await Promise.allSettled(
            [...it.slots.values()].map(async (slot) => {
              await (await slot.machine).stop()
              await transitions.enter(slot.row, { state: 'asleep', desired: 'asleep', instance: null })
            })
          )
        }
      )
    },
    serve(): void {
      held.outgoing = outgoing
    }
  }
}
