import { Closed, Data, Name, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

export const MAX_MESSAGE = 10_000
const wait = (what: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 60,
      default: 30,
      description: `Seconds to wait for ${what}, at most`
    })
  )

const Interaction = Type.Object(
  {
    id: Type.String({ examples: ['run_01k4qz0000e0080000000000ab'] }),
    liaisonId: Type.String(),
    status: Type.Union(
      [Type.Literal('working'), Type.Literal('waiting'), Type.Literal('answered'), Type.Literal('failed')],
      { description: '`waiting`: its owner is asked, and may take long' }
    ),
    content: OrNull(Type.String({ description: 'The answer' })),
    createdAt: Time
  },
  { title: 'Interaction' }
)
const Interacted = Type.Object(
  {
    ...Interaction.properties,
    token: OrNull(
      Type.String({
        description: 'Of an outsider who is new, to be used from now on: by it the liaison knows it again',
        examples: ['lio_…']
      })
    )
  },
  { title: 'Interacted' }
)

const Message = Closed({
  message: Type.String({ minLength: 1, maxLength: MAX_MESSAGE, pattern: '\\S' }),
  name: Type.Optional(Name({ maxLength: 100, description: 'Who speaks; taken from who is new' })),
  waitSeconds: wait('the answer')
})

export type Interaction = Static<typeof Interaction>
export type Interacted = Static<typeof Interacted>
export type Message = Static<typeof Message>

const tags = ['liaison']

export const interact = {
  tags,
  summary: 'Interact with a liaison',
  description:
    'The credential is the public token of the liaison, and from the second message on the token that the first one ' +
    'gave. 401 for any other. The answer may take longer than the request: see Get what a liaison answered.',
  body: Message,
  response: { 200: Data(Interacted) }
}
export const readInteraction = {
  tags,
  summary: 'Get what a liaison answered',
  description: 'The credential is the token that the first message gave.',
  params: Type.Object({ interactionId: Type.String() }),
  querystring: Type.Object({ waitSeconds: wait('a change') }),
  response: { 200: Data(Interaction), 404: {} }
}
