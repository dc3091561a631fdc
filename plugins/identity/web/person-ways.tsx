import { Button, Group, Stack, Text } from '@mantine/core'
import {
  api,
  ConfirmButton,
  Dialog,
  ListTable,
  ShownOnce,
  TimeAgo,
  useAction,
  useConfirmation,
  useList
} from 'agent-platform/console'
import { useState } from 'react'
import { hostOf } from './linked-accounts.tsx'

export interface Shown {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** By what another person signs in, for operators: to unlink an account, or to free an address for someone else. */
export const PersonWays = ({ person, onClose }: { person: Shown | undefined; onClose: () => void }) => (
  <Dialog
    opened={person !== undefined}
    onClose={onClose}
    size="lg"
    title={`How ${person?.name ?? ''} signs in`}
  >
    {person && <Ways {...person} />}
  </Dialog>
)

function Ways({ id: personId, name, email }: Shown) {
  const list = useList(['people', personId, 'accounts'], (cursor, signal) =>
    api.get('/v1/people/{personId}/accounts', {
      params: { path: { personId }, query: { limit: 50, cursor } },
      signal
    })
  )
  const unlinking = useAction({
    run: (accountId: string) =>
      api.delete('/v1/people/{personId}/accounts/{accountId}', { params: { path: { personId, accountId } } }),
    changes: [['people', personId, 'accounts']],
    done: 'The account is unlinked'
  })
  const { guard, dialog } = useConfirmation()
  const [link, setLink] = useState<string>()
  const resetting = useAction({
    run: () =>
      guard(() =>
        api.post('/v1/people/{personId}/password-reset', {
          params: { path: { personId } },
          idempotencyKey: false
        })
      ),
    onDone: ({ data }) => setLink(data.url)
  })
  const withdrawing = useAction({
    run: () => api.delete('/v1/people/{personId}/password-reset', { params: { path: { personId } } }),
    done: 'The link is good for nothing any more'
  })
  const releasing = useAction({
    run: () => api.post('/v1/people/{personId}/release-address', { params: { path: { personId } } }),
    changes: [['people']],
    done: 'The address is free for someone else'
  })
  return (
    <Stack>
      <ListTable
        label="Accounts elsewhere"
        list={list}
        empty="By no account elsewhere."
        columns={[
          {
            header: 'Provider',
            cell: ({ issuer }) => hostOf(issuer),
            note: ({ subject }) => subject,
            maxWidth: 260
          },
          { header: 'Linked', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
          {
            header: 'Actions',
            isAction: true,
            cell: ({ id, issuer }) => (
              <ConfirmButton
                size="compact-sm"
                aria-label={`Unlink ${hostOf(issuer)}`}
                title={`Unlink ${hostOf(issuer)}?`}
                warning={`Nobody signs in as ${name} by it any more.`}
                onClick={() => unlinking.mutate(id)}
              >
                Unlink
              </ConfirmButton>
            )
          }
        ]}
      />
      <Text size="sm">
        Where {name} cannot sign in any more, make a link by which a new password is set. It is good once and
        for a short time, in place of the one before.
      </Text>
      <Group>
        <ConfirmButton
          title={`Make a link for ${name}?`}
          warning={`Whoever opens it signs in as ${name} from then on: send it to nobody else. Once it is used, ${name} is signed out everywhere.`}
          onClick={() => resetting.mutate()}
          loading={resetting.isPending}
        >
          Reset the password
        </ConfirmButton>
        <Button variant="default" onClick={() => withdrawing.mutate()} loading={withdrawing.isPending}>
          Take the link back
        </Button>
      </Group>
      <Text size="sm">
        Where {email} belongs to someone else now, release it: that person may be invited by it then.
      </Text>
      <div>
        <ConfirmButton
          title={`Release ${email}?`}
          warning={`${name} keeps what it has, and does not sign in by the password any more. Disable the person first where there is no other way to sign in.`}
          onClick={() => releasing.mutate()}
          loading={releasing.isPending}
        >
          Release the address
        </ConfirmButton>
      </div>
      {dialog}
      <ShownOnce
        title="The link"
        what={`Send it to ${email} by a way that you trust. It is shown this once.`}
        value={link}
        onDone={() => setLink(undefined)}
      />
    </Stack>
  )
}
