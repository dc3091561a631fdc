import { Anchor, Group, Table, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { Fragment } from 'react'
import { Link } from 'wouter'
import classes from './data-table.module.css'
import type { ListSearch, useList } from './list-view.tsx'
import { ListView, Nothing } from './list-view.tsx'

export interface Column<T> {
  readonly header: string
  cell(row: T): ReactNode
  /** The page of the row; where several lead somewhere, the first is the row's own. */
  to?(row: T): string
  /** Before the cell. */
  icon?(row: T): ReactNode
  /** Small, below the cell; of a long text, the beginning. */
  note?(row: T): ReactNode
  readonly maxWidth?: number
  /** Aligned by its digits. */
  readonly isNumber?: boolean
  /** What can be done with the row: its header is for screen readers alone. */
  readonly isAction?: boolean
}

interface Look<T> {
  /** What the rows are, for screen readers. */
  readonly label: string
  /** Those that are false are left out. */
  readonly columns: readonly (Column<T> | false)[]
  /** Shown instead of a table without rows. */
  readonly empty?: ReactNode
  /** Narrower, it scrolls; where that is as narrow as a phone, each row is a list of its own. */
  readonly minWidth?: number
  /** Of rows without an `id`. */
  keyOf?(row: T): string | number
  /** Below a row, over all columns. */
  below?(row: T): ReactNode
}

/** Rows that are all there. */
export function DataTable<T>(props: Look<T> & { rows: readonly T[] }) {
  const { label, rows, empty, below, keyOf = idOf } = props
  const columns = props.columns.filter((column) => column !== false)
  const { minWidth = columns.length * 135 } = props
  if (rows.length === 0 && empty !== undefined) return <Nothing>{empty}</Nothing>
  const isFocusable = columns.some(({ to, isAction }) => to || isAction)
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      className={classes.frame}
      classNames={{ scrollContainerInner: classes.room }}
      // By the keyboard it is scrolled through what can be focused in it; without that, by itself.
      scrollAreaProps={
        isFocusable ? undefined : { viewportProps: { tabIndex: 0, role: 'region', 'aria-label': label } }
      }
    >
      {/* The roles are said, since some browsers forget them where a table is laid out as another thing. */}
      <Table
        role="table"
        className={classes.table}
        verticalSpacing="xs"
        highlightOnHover={columns.some(({ to }) => to)}
        aria-label={label}
      >
        <Table.Thead role="rowgroup" className={classes.head}>
          <Table.Tr role="row">
            {columns.map(({ header, isNumber, isAction }) => (
              <Table.Th key={header} role="columnheader" scope="col" ta={isNumber ? 'right' : undefined}>
                {isAction ? <VisuallyHidden>{header}</VisuallyHidden> : header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup" className={classes.body}>
          {rows.map((row) => {
            const more = below?.(row)
            return (
              <Fragment key={keyOf(row)}>
                <Table.Tr role="row" className={classes.row}>
                  {columns.map((column) => (
                    <Cell key={column.header} column={column} row={row} />
                  ))}
                </Table.Tr>
                {more && (
                  <Table.Tr role="row" className={classes.row}>
                    <Table.Td role="cell" className={classes.cell} colSpan={columns.length}>
                      {more}
                    </Table.Td>
                  </Table.Tr>
                )}
              </Fragment>
            )
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** A list of the API: its rows, with the list's loading, failure and next page. */
export const ListTable = <T,>({
  list,
  empty,
  search,
  ...look
}: Look<T> & { list: ReturnType<typeof useList<T>>; search?: ListSearch | undefined }) => (
  <ListView list={list} empty={empty} search={search}>
    {(rows) => <DataTable {...look} rows={rows} />}
  </ListView>
)

const idOf = (row: unknown) => (row as { id: string }).id
const anywhere = { overflowWrap: 'anywhere' } as const
const NOTED = 300

function Cell<T>({ column, row }: { column: Column<T>; row: T }) {
  const { to, isNumber, isAction, maxWidth = to && 420 } = column
  const icon = column.icon?.(row)
  const note = column.note?.(row)
  const said = column.cell(row)
  const content = (
    <>
      {to ? (
        <Anchor component={Link} href={to(row)} size="sm" fw={550} c="inherit" lineClamp={3} style={anywhere}>
          {said}
        </Anchor>
      ) : (
        said
      )}
      {note && (
        <Text component="div" size="xs" c="dimmed" lineClamp={2} style={anywhere}>
          {typeof note === 'string' ? note.slice(0, NOTED) : note}
        </Text>
      )}
    </>
  )
  return (
    <Table.Td
      role="cell"
      className={classes.cell}
      // A name and a button say themselves what they are.
      data-label={to || isAction ? undefined : column.header}
      maw={maxWidth}
      ta={isNumber || isAction ? 'right' : undefined}
      style={isNumber ? { whiteSpace: 'nowrap' } : maxWidth ? anywhere : undefined}
    >
      {icon ? (
        <Group gap="xs" wrap="nowrap">
          {icon}
          <div style={{ minWidth: 0 }}>{content}</div>
        </Group>
      ) : (
        <div className={classes.value}>{content}</div>
      )}
    </Table.Td>
  )
}
