import { EmptyState, ErrorNotice } from 'agent-platform/console'
import { ApiError } from 'agent-platform-client'
import { UserRound } from 'lucide-react'

/** Why a page for people has nothing to show: most often because a key signed in, which is of one project. */
export function PersonNotice({ error, retry }: { error: unknown; retry: () => unknown }) {
  const code = error instanceof ApiError ? error.code : undefined
  if (code !== 'person_required' && code !== 'agent_principal')
    return <ErrorNotice error={error} retry={retry} />
  return (
    <EmptyState icon={UserRound} title="You signed in with a key">
      Projects and accounts are for people. Sign out, and sign in as the person that you are: an operator
      invites you.
    </EmptyState>
  )
}
