import type { Static } from 'typebox'
import { Type } from 'typebox'

const Path = (value: string, description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_.-]{0,200}$', default: value, description })

export const KnowledgeSettings = Type.Object({
  maxDocuments: Type.Integer({
    env: 'KNOWLEDGE_MAX_DOCUMENTS',
    minimum: 1,
    maximum: 1_000_000,
    default: 50_000,
    description: 'Documents in a space'
  }),
  maxFolders: Type.Integer({
    env: 'KNOWLEDGE_MAX_FOLDERS',
    minimum: 1,
    maximum: 100_000,
    default: 10_000,
    description: 'Folders in a space'
  }),
  httpUrl: Type.Optional(
    Type.String({
      pattern: '^https?://[^@#]+$',
      maxLength: 2_000,
      env: 'KNOWLEDGE_HTTP_URL',
      description:
        'A search service: with `{query}` and `{limit}` in it fetched by GET, else sent JSON by POST'
    })
  ),
  httpKey: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,1000}$',
      env: 'KNOWLEDGE_HTTP_KEY',
      secret: true,
      description: 'Key for that service, if it wants one'
    })
  ),
  httpKeyHeader: Type.String({
    pattern: '^[A-Za-z0-9-]{1,100}$',
    default: 'authorization',
    description: 'Header that the key goes in: of `authorization` as a bearer'
  }),
  httpSeconds: Type.Integer({
    minimum: 1,
    maximum: 120,
    default: 15,
    description: 'Seconds that it may take'
  }),
  httpResults: Path('results', 'Where its reply has the list of results, as `a.b`; empty: the reply is one'),
  httpText: Path('text', 'Where a result has its text'),
  httpTitle: Path('title', 'Where a result has its title'),
  httpLink: Path('url', 'Where a result has its address')
})
export type KnowledgeSettings = Static<typeof KnowledgeSettings>
