import { defineApp } from 'agent-platform-app'
import * as Type from 'typebox'
import type { GitHubIssue } from './github.ts'
import { askGitHub, host, issueOf } from './github.ts'

const Repository = Type.String({
  pattern: '^[A-Za-z0-9-]{1,39}/[A-Za-z0-9._-]{1,100}$',
  description: 'Owner and name, such as nodejs/node'
})
const Issue = Type.Object({
  number: Type.Integer(),
  title: Type.String(),
  state: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
  author: Type.String(),
  labels: Type.Array(Type.String()),
  comments: Type.Integer(),
  updatedAt: Type.String(),
  url: Type.String()
})

interface Found {
  readonly total_count: number
  readonly items: readonly GitHubIssue[]
}

/** Issues of GitHub. The key is put into the requests by the platform: nothing here ever has it. */
export default defineApp({
  manifest: {
    id: 'issue-desk',
    name: 'Issue desk',
    version: '1.0.0',
    description: 'Finds issues on GitHub and opens new ones, for agents and on a page.',
    egress: [{ host, reason: 'Issues are read and opened there' }],
    connections: [
      {
        key: 'github',
        name: 'GitHub',
        description:
          'A fine-grained token that may read and write issues of the repositories meant, from ' +
          'https://github.com/settings/personal-access-tokens',
        hosts: [host],
        auth: { type: 'bearer' },
        required: true
      }
    ],
    storage: { keyValue: true, quotaBytes: 1_000_000 },
    functions: [
      {
        name: 'search',
        title: 'Search issues',
        description:
          'Issues of a repository on GitHub, those that changed last first. Search before you open one.',
        input: Type.Object({
          repository: Repository,
          text: Type.Optional(
            Type.String({ maxLength: 200, description: 'Words in title, text or comments' })
          ),
          state: Type.Optional(Type.Union([Type.Literal('open'), Type.Literal('closed')]))
        }),
        output: Type.Object({ total: Type.Integer(), issues: Type.Array(Issue) }),
        tool: true,
        idempotent: true,
        page: 'issues'
      },
      {
        name: 'open',
        title: 'Open an issue',
        description: 'Opens a new issue in a repository on GitHub, where everybody who may see it reads it.',
        input: Type.Object({
          repository: Repository,
          title: Type.String({ minLength: 1, maxLength: 256 }),
          body: Type.Optional(Type.String({ maxLength: 20_000, description: 'Markdown' }))
        }),
        output: Issue,
        tool: true
      }
    ],
    pages: [{ name: 'issues', title: 'Issues', entry: 'pages/issues.html' }]
  },
  functions: {
    async search({ repository, text = '', state = 'open' }, { fetch }) {
      // Qualifiers are written with colons: with them in the text it would be searched in other repositories.
      const words = text.replace(/[":]/g, ' ').trim()
      const q = [words, `repo:${repository}`, 'is:issue', `state:${state}`].filter(Boolean).join(' ')
      const query = new URLSearchParams({ q, sort: 'updated', per_page: '30' })
      const found = await askGitHub<Found>(fetch, `/search/issues?${query}`)
      return { total: found.total_count, issues: found.items.map(issueOf) }
    },

    async open({ repository, title, body = '' }, { fetch, console }) {
      const order = { method: 'POST', body: JSON.stringify({ title, body }) }
      const issue = issueOf(await askGitHub<GitHubIssue>(fetch, `/repos/${repository}/issues`, order))
      console.log(`opened ${repository}#${issue.number}`)
      return issue
    }
  }
})
