import { api, bytesOf, EmptyState, ListTable, useList } from 'agent-platform/console'
import { ChartColumn } from 'lucide-react'
import type { App } from './queries.ts'

const count = (value: number) => Math.round(value).toLocaleString('en')

/** What the app used up, day by day. */
export function AppUsage({ app: { pluginId } }: { app: App }) {
  const list = useList(['apps', pluginId, 'usage'], (cursor, signal) =>
    api.get('/v1/ui-plugins/{pluginId}/usage', {
      params: { path: { pluginId }, query: { limit: 31, cursor } },
      signal
    })
  )
  return (
    <ListTable
      label="Usage by days"
      list={list}
      keyOf={({ day }) => day}
      empty={
        <EmptyState icon={ChartColumn} title="Nothing used yet">
          Calls, processor time and traffic of the app are counted by days.
        </EmptyState>
      }
      columns={[
        { header: 'Day (UTC)', cell: ({ day }) => day },
        { header: 'Calls', cell: ({ calls }) => count(calls), isNumber: true },
        { header: 'Functions', cell: ({ functionCalls }) => count(functionCalls), isNumber: true },
        { header: 'Processor', cell: ({ cpuMs }) => `${count(cpuMs)} ms`, isNumber: true },
        { header: 'Requests to others', cell: ({ egressCalls }) => count(egressCalls), isNumber: true },
        { header: 'Traffic', cell: ({ egressBytes }) => bytesOf(egressBytes), isNumber: true }
      ]}
    />
  )
}
