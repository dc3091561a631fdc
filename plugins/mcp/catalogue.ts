import type { MarketplaceServer } from './schemas/marketplace.ts'

type Entry = Pick<MarketplaceServer, 'name' | 'title' | 'description'> &
  Partial<Pick<MarketplaceServer, 'websiteUrl' | 'repositoryUrl' | 'remotes' | 'packages'>>

const REFERENCE = 'https://github.com/modelcontextprotocol/servers'
const npm = (identifier: string) => [{ registry: 'npm', identifier, version: null }]
const pypi = (identifier: string) => [{ registry: 'pypi', identifier, version: null }]
const at = (url: string) => [{ transport: 'http', url }]

const entries: readonly Entry[] = [
  {
    name: 'com.github/github',
    title: 'GitHub',
    description: 'Repositories, issues, pull requests and workflows of GitHub',
    websiteUrl: 'https://github.com/github/github-mcp-server',
    repositoryUrl: 'https://github.com/github/github-mcp-server',
    remotes: at('https://api.githubcopilot.com/mcp/')
  },
  {
    name: 'com.notion/mcp',
    title: 'Notion',
    description: 'Pages and databases of a Notion workspace',
    websiteUrl: 'https://developers.notion.com/docs/mcp',
    repositoryUrl: 'https://github.com/makenotion/notion-mcp-server',
    remotes: at('https://mcp.notion.com/mcp'),
    packages: npm('@notionhq/notion-mcp-server')
  },
  {
    name: 'app.linear/linear',
    title: 'Linear',
    description: 'Issues, projects and comments of Linear',
    websiteUrl: 'https://linear.app/docs/mcp',
    remotes: at('https://mcp.linear.app/mcp')
  },
  {
    name: 'io.sentry/sentry',
    title: 'Sentry',
    description: 'Errors and performance of applications watched by Sentry',
    websiteUrl: 'https://mcp.sentry.dev',
    repositoryUrl: 'https://github.com/getsentry/sentry-mcp',
    remotes: at('https://mcp.sentry.dev/mcp'),
    packages: npm('@sentry/mcp-server')
  },
  {
    name: 'com.stripe/mcp',
    title: 'Stripe',
    description: 'Customers, payments and documentation of Stripe',
    websiteUrl: 'https://docs.stripe.com/mcp',
    repositoryUrl: 'https://github.com/stripe/agent-toolkit',
    remotes: at('https://mcp.stripe.com'),
    packages: npm('@stripe/mcp')
  },
  {
    name: 'com.atlassian/atlassian',
    title: 'Atlassian',
    description: 'Jira and Confluence',
    websiteUrl: 'https://www.atlassian.com/platform/remote-mcp-server',
    remotes: [{ transport: 'sse', url: 'https://mcp.atlassian.com/v1/sse' }]
  },
  {
    name: 'co.huggingface/hf',
    title: 'Hugging Face',
    description: 'Models, datasets, papers and Spaces of Hugging Face',
    websiteUrl: 'https://huggingface.co/settings/mcp',
    remotes: at('https://huggingface.co/mcp')
  },
  {
    name: 'com.deepwiki/deepwiki',
    title: 'DeepWiki',
    description: 'Questions about public repositories, answered from their documentation; needs no account',
    websiteUrl: 'https://docs.devin.ai/work-with-devin/deepwiki-mcp',
    remotes: at('https://mcp.deepwiki.com/mcp')
  },
  {
    name: 'com.cloudflare/docs',
    title: 'Cloudflare documentation',
    description: 'Search of the documentation of Cloudflare; needs no account',
    repositoryUrl: 'https://github.com/cloudflare/mcp-server-cloudflare',
    remotes: [{ transport: 'sse', url: 'https://docs.mcp.cloudflare.com/sse' }]
  },
  {
    name: 'io.github.upstash/context7',
    title: 'Context7',
    description: 'Documentation of libraries, for the version in use',
    websiteUrl: 'https://context7.com',
    repositoryUrl: 'https://github.com/upstash/context7',
    remotes: at('https://mcp.context7.com/mcp'),
    packages: npm('@upstash/context7-mcp')
  },
  {
    name: 'io.github.modelcontextprotocol/filesystem',
    title: 'Filesystem',
    description: 'Files below folders that are named when it is started',
    repositoryUrl: REFERENCE,
    packages: npm('@modelcontextprotocol/server-filesystem')
  },
  {
    name: 'io.github.modelcontextprotocol/memory',
    title: 'Memory',
    description: 'A knowledge graph that is kept between conversations',
    repositoryUrl: REFERENCE,
    packages: npm('@modelcontextprotocol/server-memory')
  },
  {
    name: 'io.github.modelcontextprotocol/fetch',
    title: 'Fetch',
    description: 'Web pages, as text',
    repositoryUrl: REFERENCE,
    packages: pypi('mcp-server-fetch')
  },
  {
    name: 'io.github.modelcontextprotocol/everything',
    title: 'Everything',
    description: 'Every feature of the protocol, for trying clients',
    repositoryUrl: REFERENCE,
    packages: npm('@modelcontextprotocol/server-everything')
  },
  {
    name: 'com.microsoft/playwright-mcp',
    title: 'Playwright',
    description: 'A browser, driven by what is on the page',
    repositoryUrl: 'https://github.com/microsoft/playwright-mcp',
    packages: npm('@playwright/mcp')
  }
]

/** Well-known public servers, for when there is no registry. */
export const catalogue: readonly MarketplaceServer[] = entries.map((entry) => ({
  version: null,
  websiteUrl: null,
  repositoryUrl: null,
  remotes: [],
  packages: [],
  ...entry,
  source: 'catalogue'
}))
