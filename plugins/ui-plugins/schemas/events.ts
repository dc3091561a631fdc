import { Grants } from 'agent-platform-app/grants'
import type { Static } from 'typebox'
import { Type } from 'typebox'

/** What facts tell of an app. */
const AppEvent = Type.Object({
  id: Type.String(),
  pluginId: Type.String(),
  /** As in semver: the version that the fact is about. */
  version: Type.String(),
  audience: Type.Enum(['owner', 'project']),
  grants: Grants
})
export type AppEvent = Static<typeof AppEvent>
