import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Details, Loaded, PageFrame, useConfirmation } from 'agent-platform/console'
import { LinkedAccounts } from './linked-accounts.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { PersonNotice } from './person-notice.tsx'
import { PersonSessions } from './person-sessions.tsx'
import { ownPersonQuery } from './queries.ts'

/** Who has signed in, how that person may sign in from now on, and where it has. */
export default function Account() {
  const person = useQuery(ownPersonQuery)
  const { guard, dialog } = useConfirmation()
  return (
    <PageFrame title="Your account">
      {person.error && !person.data ? (
        <PersonNotice error={person.error} retry={() => person.refetch()} />
      ) : (
        <Loaded query={person}>
          {({ name, email, isOperator }) => (
            <Stack gap="xl">
              <Details
                of={{
                  Name: name,
                  'E-mail address': email,
                  Role: isOperator ? 'Operator of the platform' : 'Person'
                }}
              />
              <Passkeys guard={guard} />
              <Password guard={guard} email={email} />
              <LinkedAccounts guard={guard} />
              <PersonSessions />
            </Stack>
          )}
        </Loaded>
      )}
      {dialog}
    </PageFrame>
  )
}
