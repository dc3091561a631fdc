import { Data, OrNull } from 'agent-platform'
import { packageLimits } from 'agent-platform-app/limits'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { App, params } from './apps.ts'

const Appearance = Type.Object(
  {
    icon: OrNull(
      Type.Object({
        base64: Type.String({
          maxLength: Math.ceil(packageLimits.iconBytes / 3) * 4,
          description: 'A PNG, JPEG or WebP of at most 1 MiB'
        })
      })
    )
  },
  { title: 'AppAppearance', description: 'null: the icon of the app itself again' }
)
export type Appearance = Static<typeof Appearance>

const tags = ['ui-plugins']
export const setAppearance = {
  tags,
  summary: 'Set or reset the app icon',
  params,
  body: Appearance,
  response: { 200: Data(App), 415: Type.Object({}) }
}
export const readIcon = {
  tags,
  summary: 'Get the icon of an app',
  description:
    '404 with the code `icon_missing` where it has none. The ETag is the SHA-256, and answers If-None-Match.',
  params,
  response: {
    200: { content: { 'image/webp': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } } },
    304: Type.Null({ description: 'Not modified' })
  }
}
