import type { AppFetch } from 'agent-platform-app'

export const host = 'api.github.com'

/** JSON of GitHub’s API. What GitHub refuses is thrown in its own words. */
export async function askGitHub<T>(
  fetch: AppFetch<'github'>,
  path: string,
  init: RequestInit = {}
): Promise<T> {
  const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }
  const reply = await fetch(`https://${host}${path}`, { ...init, headers, connection: 'github' })
  if (reply.ok) return (await reply.json()) as T
  if (reply.status === 401)
    throw new Error('GitHub does not accept the key of the connection: save another one')
  const { message } = (await reply.json().catch(() => ({}))) as { message?: string }
  throw new Error(`GitHub says ${reply.status}: ${message ?? 'no more than that'}`)
}

/** As GitHub has it, as far as it is used here: https://docs.github.com/rest/issues */
export interface GitHubIssue {
  readonly number: number
  readonly title: string
  readonly state: 'open' | 'closed'
  readonly user: { readonly login: string } | null
  readonly labels: readonly { readonly name: string }[]
  readonly comments: number
  readonly updated_at: string
  readonly html_url: string
}

export const issueOf = ({ user, labels, updated_at, html_url, ...issue }: GitHubIssue) => ({
  number: issue.number,
  title: issue.title,
  state: issue.state,
  author: user?.login ?? 'ghost',
  labels: labels.map(({ name }) => name),
  comments: issue.comments,
  updatedAt: updated_at,
  url: html_url
})
