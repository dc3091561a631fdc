import type { MetricSource } from '../metrics/contract.ts'
import type { Sandbox } from './contract.ts'

/** How the sandbox of this instance stands, for operators. */
export const sandboxMetrics = ({
  sandboxService
}: {
  sandboxService: Pick<Sandbox, 'readings'>
}): MetricSource => ({
  read() {
    const { processes, waiting, lost, quarantined } = sandboxService.readings()
    const sum = (of: (it: (typeof processes)[number]) => number) =>
      processes.reduce((all, it) => all + of(it), 0)
    const gauge = (name: string, help: string, value: number) =>
      ({ name, help, type: 'gauge', samples: [{ value }] }) as const
    const count = (isBackground: boolean) => ({
      labels: { background: String(isBackground) },
      value: processes.filter((it) => it.isBackground === isBackground).length
    })
    return [
      {
        name: 'processes',
        help: 'Processes for programs; those in the background get of the processors what others leave.',
        type: 'gauge',
        samples: [count(false), count(true)]
      },
      gauge(
        'programs',
        'Programs that are loaded.',
        sum(({ programs }) => programs)
      ),
      gauge(
        'calls',
        'Calls that are in a process.',
        sum(({ calls }) => calls)
      ),
      gauge('calls_waiting', 'Calls that wait for a process.', waiting),
      gauge('quarantined', 'Programs that may not run for a while.', quarantined),
      {
        name: 'processes_lost_total',
        help: 'Processes that died, hung or took too much memory.',
        type: 'counter',
        samples: [{ value: lost }]
      }
    ]
  }
})
