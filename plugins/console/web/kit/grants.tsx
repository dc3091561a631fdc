import { ActionIcon, Badge, Button, Group, Select, Stack, TextInput } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AgentSelect, useAgentNames } from './agents.tsx'
import { ListTable } from './data-table.tsx'
import { Form } from './form.tsx'
import { useList } from './list-view.tsx'
import { useSession } from './session.tsx'
import { TimeAgo } from './time-ago.tsx'
import { useAction } from './use-action.ts'

interface NewGrant<L extends string> {
  readonly subjectType: 'user' | 'agent' | 'service' | 'project'
  readonly subjectId: string
  readonly level: L
}
interface Grant<L extends string> extends NewGrant<L> {
  readonly id: string
  readonly createdAt: string
}

interface Props<L extends string> {
  /** Of the query of the grants. */
  readonly of: QueryKey
  /** From the least to the most, with what each allows. */
  readonly levels: Readonly<Record<L, string>>
  list(
    cursor: string | undefined,
    signal: AbortSignal
  ): Promise<{ data: readonly Grant<L>[]; nextCursor: string | null }>
  grant(grant: NewGrant<L>): Promise<unknown>
  revoke(grantId: string): Promise<unknown>
}

const subjects = { user: 'User', agent: 'Agent', service: 'Service', project: 'Everybody of the project' }

/** Who else may use something, given and taken away. */
export function Grants<L extends string>({ of, levels, list, grant, revoke }: Props<L>) {
  const grants = useList(of, list)
  const rows = grants.data?.pages.flatMap(({ data }) => data) ?? []
  const agents = useAgentNames(
    rows.flatMap(({ subjectType, subjectId }) => (subjectType === 'agent' ? [subjectId] : []))
  )
  const revoking = useAction({ run: revoke, changes: [of], done: 'The grant is revoked' })
  return (
    <Stack>
      <GrantForm of={of} levels={levels} grant={grant} />
      <ListTable
        label="Grants"
        list={grants}
        empty="Nobody else has been granted anything."
        columns={[
          {
            header: 'Who',
            cell: ({ subjectId }) => agents.get(subjectId) ?? subjectId,
            note: ({ subjectType }) => subjects[subjectType],
            maxWidth: 420
          },
          {
            header: 'Level',
            cell: ({ level }) => (
              <Badge variant="default" tt="none">
                {level}
              </Badge>
            )
          },
          { header: 'Granted', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
          {
            header: 'Revoke',
            isAction: true,
            cell: ({ id, subjectId }) => (
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={`Revoke the grant of ${agents.get(subjectId) ?? subjectId}`}
                onClick={() => revoking.mutate(id)}
                loading={revoking.isPending && revoking.variables === id}
              >
                <Trash2 size={16} />
              </ActionIcon>
            )
          }
        ]}
      />
    </Stack>
  )
}

function GrantForm<L extends string>({ of, levels, grant }: Pick<Props<L>, 'of' | 'levels' | 'grant'>) {
  const { principal } = useSession()
  const names = Object.keys(levels) as L[]
  const [subjectType, setSubjectType] = useState<NewGrant<L>['subjectType']>('agent')
  const [subjectId, setSubjectId] = useState<string | null>(null)
  const [level, setLevel] = useState(names[0] as L)
  const subject = subjectType === 'project' ? (principal?.project ?? '') : (subjectId?.trim() ?? '')
  const granting = useAction({
    run: grant,
    changes: [of],
    done: 'It is granted',
    onDone: () => setSubjectId(null)
  })
  return (
    <Form action={granting} onSubmit={() => granting.mutate({ subjectType, subjectId: subject, level })}>
      <Group align="flex-end" gap="sm">
        <Select
          label="Grant to"
          data={Object.entries(subjects).map(([value, label]) => ({ value, label }))}
          value={subjectType}
          onChange={(next) => {
            setSubjectType(next as NewGrant<L>['subjectType'])
            setSubjectId(null)
          }}
          allowDeselect={false}
          w={190}
        />
        {subjectType === 'agent' && <AgentSelect value={subjectId} onChange={setSubjectId} w={220} />}
        {(subjectType === 'user' || subjectType === 'service') && (
          <TextInput
            label={`Id of the ${subjectType}`}
            value={subjectId ?? ''}
            onChange={({ currentTarget }) => setSubjectId(currentTarget.value)}
            maxLength={128}
            w={220}
          />
        )}
        <Select
          label="Level"
          data={names.map((name) => ({ value: name, label: `${name}: ${levels[name]}` }))}
          value={level}
          onChange={(next) => setLevel(next as L)}
          allowDeselect={false}
          w={250}
        />
        <Button type="submit" disabled={!subject} loading={granting.isPending}>
          Grant
        </Button>
      </Group>
    </Form>
  )
}
