import { Data, Name } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { ofProject, tags } from '../projects/schemas.ts'

const NewPush = Type.Object(
  {
    repository: Type.String({
      minLength: 1,
      maxLength: 1_000,
      pattern: '^https?://[^\\s?#]+$',
      examples: ['https://github.com/ada/shop']
    }),
    branch: Type.Optional(
      Type.String({
        maxLength: 200,
        default: 'main',
        // What Git itself does not take.
        pattern:
          '^(?!/|.*(?:[/.]|\\.lock)$|.*(?:\\.\\.|//|@\\{|/\\.)|[-.@])[^\\u0000-\\u0020~^:?*\\[\\\\\\u007f]+$'
      })
    ),
    message: Type.Optional(
      Type.String({ minLength: 1, maxLength: 10_000, pattern: '^[^\\u0000]*$', description: 'Of the commit' })
    ),
    connectionId: Type.Optional(
      Type.String({ description: 'A connection of the owner’s, whose token is the credential' })
    ),
    keyId: Type.Optional(
      Type.String({ description: 'In place of it: a tool key of the owner’s for that host' })
    ),
    username: Type.Optional(
      Name({
        maxLength: 100,
        pattern: '^[^\\s:]+$',
        description: 'That the host wants beside the token; default: what the known ones do'
      })
    )
  },
  {
    title: 'NewPush',
    additionalProperties: false,
    examples: [
      { repository: 'https://github.com/ada/shop', connectionId: 'connection_01k4qz0000e0080000000000ab' }
    ]
  }
)
const Push = Type.Object(
  {
    repository: Type.String(),
    branch: Type.String(),
    commit: Type.String({ description: 'What the branch is at now' }),
    parent: Type.Union([Type.String(), Type.Null()], { description: 'What it was at before' }),
    files: Type.Integer()
  },
  { title: 'Push' }
)
export type NewPush = Static<typeof NewPush>
export type Push = Static<typeof Push>

export const pushProject = {
  tags,
  summary: 'Push a code project to a code-hosting service',
  description:
    'One commit of exactly the files of the project, upon what the branch is at; by Git over HTTP, to any host that this deployment allows. 409 `push_refused` where the branch has moved meanwhile, or is protected; 502 where the host refuses the credential.',
  params: ofProject,
  body: NewPush,
  response: { 200: Data(Push), 409: {} }
}
