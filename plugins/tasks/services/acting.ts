import type { Owned, Principal } from 'agent-platform'

/** What is told to the agent. */
export const promptOf = (
  { title, description }: { readonly title: string; readonly description: string | null },
  input: object | null
): string =>
  [title, description, input && `Input:\n${JSON.stringify(input, null, 2)}`].filter(Boolean).join('\n\n')

/** Whom facts name, and who stops what was begun, also while the owner is disabled: it may nothing else. */
export const ownerOf = ({ project, owner }: Owned): Principal => ({
  id: owner,
  type: 'user',
  project,
  owner,
  scopes: new Set(),
  narrowed: false,
  credential: ''
})

/** Names the stream's id in the events of runs. */
export const idField = 'taskRunId'
