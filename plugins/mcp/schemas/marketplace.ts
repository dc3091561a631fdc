import { OrNull, Page, Paging } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

export const MarketplaceServer = Type.Object(
  {
    name: Type.String({ examples: ['io.github.modelcontextprotocol/filesystem'] }),
    title: OrNull(Type.String()),
    description: Type.String(),
    version: OrNull(Type.String()),
    websiteUrl: OrNull(Type.String()),
    repositoryUrl: OrNull(Type.String()),
    remotes: Type.Array(
      Type.Object({ transport: Type.String({ examples: ['http', 'sse'] }), url: Type.String() }),
      { description: 'Addresses that it answers at' }
    ),
    packages: Type.Array(
      Type.Object({
        registry: Type.String({ examples: ['npm', 'pypi', 'oci'] }),
        identifier: Type.String(),
        version: OrNull(Type.String())
      }),
      { description: 'What a deployment may allow as a command' }
    ),
    source: Type.Union([Type.Literal('registry'), Type.Literal('catalogue')])
  },
  { title: 'McpMarketplaceServer' }
)
export type MarketplaceServer = Static<typeof MarketplaceServer>

export const listMarketplace = {
  tags: ['mcp'],
  summary: 'Browse the public catalogue of tool servers',
  querystring: Type.Object({
    ...Paging,
    cursor: Type.Optional(Type.String({ maxLength: 600, description: '`nextCursor` of the page before' })),
    search: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Part of a name or description' })
    )
  }),
  response: { 200: Page(MarketplaceServer) }
}
