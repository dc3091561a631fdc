import { Table } from '@mantine/core'
import { api, bytesOf, EmptyState, ListView, useList } from 'agent-platform/console'
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
    <ListView
      list={list}
      empty={
        <EmptyState icon={ChartColumn} title="Nothing used yet">
          Calls, processor time and traffic of the app are counted by days.
        </EmptyState>
      }
    >
      {(days) => (
        <Table.ScrollContainer minWidth={620}>
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Day (UTC)</Table.Th>
                <Table.Th ta="right">Calls</Table.Th>
                <Table.Th ta="right">Functions</Table.Th>
                <Table.Th ta="right">Processor</Table.Th>
                <Table.Th ta="right">Requests to others</Table.Th>
                <Table.Th ta="right">Traffic</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {days.map((it) => (
                <Table.Tr key={it.day}>
                  <Table.Td>{it.day}</Table.Td>
                  <Table.Td ta="right">{count(it.calls)}</Table.Td>
                  <Table.Td ta="right">{count(it.functionCalls)}</Table.Td>
                  <Table.Td ta="right">{count(it.cpuMs)} ms</Table.Td>
                  <Table.Td ta="right">{count(it.egressCalls)}</Table.Td>
                  <Table.Td ta="right">{bytesOf(it.egressBytes)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </ListView>
  )
}
