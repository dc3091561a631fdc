import type { Fragment } from 'agent-platform'
import type { Reservation, Reservations } from '../gates.ts'

/** What a gate reserves for a run. */
export interface Reserved {
  readonly pack: string
  readonly reservations: Reservations
  readonly wanted: Reservation
}

type Parts = Readonly<Record<string, Fragment>>

/** The parts of the statement that begins runs for which something is reserved: ahead of the runs, and behind them. */
export function partsOfReservations(reserved: readonly Reserved[]): { ahead: Parts; behind: Parts } {
  const byPack = Map.groupBy(reserved, ({ pack }) => pack)
  const ahead: Record<string, Fragment> = {}
  const behind: Record<string, Fragment> = {}
  for (const [index, all] of [...byPack.values()].entries()) {
    const { reservations } = all[0] as Reserved
    const list = all.map(({ wanted }) => wanted)
    Object.assign(ahead, reservations.ahead?.(list))
    ahead[`gate${index}`] = reservations.refused(list)
    Object.assign(behind, reservations.take?.(list, 'run'))
  }
  const gates = [...byPack.keys()].map((_, index) => `gate${index}`)
  if (gates.length > 0)
    ahead.refused = { text: gates.map((gate) => `select id from ${gate}`).join(' union all '), values: [] }
  return { ahead, behind }
}
