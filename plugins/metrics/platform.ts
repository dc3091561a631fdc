import type { Kernel } from 'agent-platform'
import { Gauge, Registry } from 'prom-client'

type HeldFacts = Awaited<ReturnType<Kernel['packs']['backlog']>>[number]
type Readings = ReturnType<Kernel['packs']['readings']>

/** The state of the platform, as it is at each reading. */
export function createPlatformMetrics(version: string) {
  const registry = new Registry()
  const gauge = <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name: `agent_platform_${name}`, help, labelNames, registers: [registry] })

  gauge('info', 'The version that runs.', 'version').set({ version }, 1)
  const generation = gauge('generation', 'Number of the generation of packs that answers; counts changes.')
  const packs = gauge('packs', 'Packs of this instance by status.', 'status')
  const inFlight = gauge('http_requests_in_flight', 'Requests that are being answered, this one included.')
  const streams = gauge('streams_open', 'Streams and sockets that are open.')
  const connections = gauge('database_connections', 'Connections of the general pool.', 'state')
  const callers = gauge('database_callers_waiting', 'Callers that wait for a connection.')
  const database = gauge('database_up', '1 when the database answered this reading.')
  const replica = gauge('database_replica_used', '1 when the read replica answers what may be late.')
  const lag = gauge('database_replica_lag_seconds', 'How far behind the read replica is at most.')
  const waiting = gauge('facts_waiting', 'Facts to be tried again, and those behind them.', 'pack')
  const deadLettered = gauge(
    'facts_dead_lettered',
    'Facts that a pack could not handle and that were set aside.',
    'pack'
  )

  function setHeld(held: readonly HeldFacts[] | undefined) {
    database.set(held ? 1 : 0)
    waiting.reset()
    deadLettered.reset()
    for (const { pack, ...count } of held ?? []) {
      waiting.set({ pack }, count.waiting)
      deadLettered.set({ pack }, count.deadLettered)
    }
  }

  /** Nothing is told of one that there is not, nor of how far behind one is that was never reached. */
  function setReplica(state: Readings['database']['replica']) {
    for (const it of [replica, lag]) it.remove()
    if (state) replica.set(state.used ? 1 : 0)
    if (state && Number.isFinite(state.seconds)) lag.set(state.seconds)
  }

  return {
    registry,
    /** `held` is undefined when the database did not answer. */
    set(readings: Readings, held: readonly HeldFacts[] | undefined) {
      generation.set(readings.generation)
      for (const [status, count] of Object.entries(readings.packs)) packs.set({ status }, count)
      inFlight.set(readings.inFlight)
      streams.set(readings.streams)
      connections.set({ state: 'used' }, readings.database.used)
      connections.set({ state: 'free' }, readings.database.free)
      callers.set(readings.database.waiting)
      setReplica(readings.database.replica)
      setHeld(held)
    }
  }
}
