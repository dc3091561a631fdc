import { Data } from 'agent-platform'
import { Grants } from 'agent-platform-app/grants'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { App, params } from './apps.ts'

const NewStatus = Type.Object(
  {
    status: Type.Enum(['enabled', 'off']),
    version: Type.Optional(
      Type.String({ maxLength: 64, description: 'Version. Default: the latest registered one' })
    ),
    audience: Type.Optional(
      Type.Enum(['owner', 'project'], {
        description:
          'For whom the app is enabled; for the project, platform:admin is required. Default: unchanged, initially the owner'
      })
    ),
    grants: Type.Optional(Grants)
  },
  { title: 'NewAppStatus', description: 'Grants that are left out stay as they are; at first there are none' }
)
export type NewStatus = Static<typeof NewStatus>

const tags = ['ui-plugins']
export const setStatus = {
  tags,
  summary: 'Enable (with grants) or turn off an app',
  params,
  body: NewStatus,
  response: { 200: Data(App) }
}
export const setGrants = {
  tags,
  summary: 'Change what an app may do',
  params,
  body: Grants,
  response: { 200: Data(App) }
}
