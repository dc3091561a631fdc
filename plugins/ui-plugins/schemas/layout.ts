import { Data, OrNull } from 'agent-platform'
import { APP_ID } from 'agent-platform-app/manifest'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const scope = Type.String({
  pattern: '^(?:all|page:[a-z0-9](?:[a-z0-9._/-]{0,98}[a-z0-9])?)$',
  description: '`all` for all pages, or one of them: `page:home`'
})
const audience = Type.Enum(['user', 'project'], {
  description: 'user: the caller’s own; project: everybody’s who has none of their own, by platform:admin'
})
const pins = Type.Array(Type.String({ pattern: APP_ID }), {
  maxItems: 50,
  uniqueItems: true,
  description: '`pluginId` of each, the first one first'
})

const Layout = Type.Object(
  {
    scope,
    pins,
    from: OrNull(
      Type.Object(
        { audience, scope },
        { description: 'Whose pins these are, and for which pages; null: there are none' }
      )
    ),
    version: Type.Integer({
      description: 'Of the pins that were asked for, 0 where there are none; the ETag'
    })
  },
  { title: 'AppLayout' }
)
export type Layout = Static<typeof Layout>
const NewPins = Type.Object({ pins }, { title: 'AppPins' })
export type NewPins = Static<typeof NewPins>

const LayoutQuery = Type.Object({ scope: Type.Optional(scope), audience: Type.Optional(audience) })
export type LayoutQuery = Static<typeof LayoutQuery>

const tags = ['ui-plugins']
const response = { 200: Data(Layout) }
export const readLayout = { tags, summary: 'Pinned apps by page', querystring: LayoutQuery, response }
export const pinApps = {
  tags,
  summary: 'Pin apps for a page or for all pages',
  querystring: LayoutQuery,
  body: NewPins,
  response
}
export const unpinApps = { tags, summary: 'Use the all-pages pins again', querystring: LayoutQuery, response }
