import { Data, OrNull } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { ofProject, tags } from '../projects/schemas.ts'

const NewExport = Type.Object(
  {
    folder: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_024,
        description: 'Below the home of the computer; default: `projects/` and the slug of the project',
        examples: ['projects/shop']
      })
    )
  },
  { title: 'NewExport', additionalProperties: false }
)
export type NewExport = Static<typeof NewExport>

export const exportProject = {
  tags,
  summary: 'Export a code project to the computer of its agent',
  description:
    'Each of its files is written there; others that lie in the folder stay. 409 `computer_off` while the computer is not enabled, 503 `capability_missing` where there is none, 507 where its disk is full.',
  params: ofProject,
  body: OrNull(NewExport),
  response: {
    200: Data(
      Type.Object(
        { folder: Type.String(), files: Type.Integer(), bytes: Type.Integer(), version: Type.Integer() },
        { title: 'Export' }
      )
    ),
    409: {},
    503: {},
    507: {}
  }
}
