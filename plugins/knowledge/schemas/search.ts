import { OrNull, Page, Paging } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { SpaceParams } from './spaces.ts'

const place = { start: Type.Integer(), end: Type.Integer() }
const Passage = Type.Object(
  {
    spaceId: Type.String(),
    documentId: OrNull(Type.String({ description: 'Null where it is of no document that is kept here' })),
    version: OrNull(Type.Integer({ description: 'The version of the document whose text this is' })),
    title: Type.String(),
    path: OrNull(Type.String()),
    url: OrNull(Type.String()),
    heading: OrNull(Type.String({ description: 'What it stands under' })),
    start: Type.Integer({ description: 'In the text of that version, in UTF-16 code units' }),
    end: Type.Integer({ description: 'Behind its last code unit' }),
    page: OrNull(
      Type.Integer({ description: 'That it stands on, from 1; null where the format has no pages' })
    ),
    text: Type.String(),
    score: Type.Number({ description: 'Above 0, at most 1; comparable within one search' }),
    highlights: Type.Array(Type.Object(place), {
      description: 'Words that were looked for, where `start` and `end` count'
    })
  },
  { title: 'KnowledgePassage' }
)
const Provider = Type.Object(
  {
    key: Type.String({ description: 'What a space names as its `provider`', examples: ['embedded'] }),
    name: Type.String(),
    description: Type.String(),
    configured: Type.Boolean({ description: 'One that is not answers 503' })
  },
  { title: 'KnowledgeProvider' }
)
const SearchQuery = Type.Object({
  ...Paging,
  query: Type.String({ minLength: 1, maxLength: 1_000, pattern: '\\S', description: 'What is looked for' })
})
export type SearchQuery = Static<typeof SearchQuery>
export type Provider = Static<typeof Provider>

const tags = ['knowledge']
const bestFirst = 'The best first, at most 200.'

export const search = {
  tags,
  summary: 'Search all spaces that the caller may read',
  description: `${bestFirst} The 100 newest spaces are searched.`,
  querystring: SearchQuery,
  response: { 200: Page(Passage) }
}
export const searchSpace = {
  tags,
  summary: 'Search a space',
  description: bestFirst,
  params: SpaceParams,
  querystring: SearchQuery,
  response: { 200: Page(Passage) }
}
export const listProviders = {
  tags,
  summary: 'List what can search spaces',
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(Provider) }
}
