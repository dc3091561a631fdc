import { Data, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const tags = ['console']
const Bytes = Type.Unsafe<string | Buffer>({ type: 'string' })
const Html = { 'text/html': { schema: Bytes } }
const page = { 200: { content: Html }, 503: { content: Html, description: 'It has not been built' } }
/** The application in the browser reads it. */
const query = Type.Object({}, { additionalProperties: true })

const ConsolePack = Type.Object(
  { name: Type.String(), area: Type.String(), summary: OrNull(Type.String()) },
  { title: 'ConsolePack' }
)
const ConsoleSession = Type.Object(
  {
    principal: OrNull(
      Type.Object({
        id: Type.String(),
        type: Type.Enum(['user', 'agent', 'service']),
        project: Type.String(),
        scopes: Type.Array(Type.String())
      })
    ),
    packs: Type.Array(ConsolePack, { description: 'Mounted now; none for callers without a credential' }),
    signInMethods: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          label: Type.String({ examples: ['Sign in'] }),
          url: Type.String({ description: 'Where a browser begins' })
        },
        { title: 'ConsoleSignIn' }
      ),
      { description: 'Methods to sign in, beside links and keys' }
    ),
    version: Type.String({ description: 'Of the platform' }),
    production: Type.Boolean()
  },
  { title: 'ConsoleSession' }
)
export type ConsolePack = Static<typeof ConsolePack>
export type ConsoleSession = Static<typeof ConsoleSession>

export const readPage = {
  tags,
  summary: 'Open the console',
  querystring: query,
  response: page
}
export const readDeepPage = {
  tags,
  summary: 'Open a place in the console',
  params: Type.Object({ '*': Type.String() }),
  querystring: query,
  response: page
}
export const readAsset = {
  tags,
  summary: 'Get a file of the console',
  params: Type.Object({ file: Type.String({ description: 'Carries the digest of its content' }) }),
  response: { 200: { content: { '*/*': { schema: Bytes } } } }
}
export const readSession = {
  tags,
  summary: 'Get who is signed in, and which packs there are',
  response: { 200: Data(ConsoleSession) }
}
export const createSession = {
  tags,
  summary: 'Sign a browser in',
  description:
    'With the code of a link, else with a credential as `Authorization: Bearer`. Sets the cookie that stands for a ' +
    'credential from then on, for requests of the platform’s own pages alone.',
  body: Type.Object(
    { code: Type.Optional(Type.String({ maxLength: 200, description: 'Of a link that signs in once' })) },
    { title: 'NewConsoleSession', additionalProperties: false }
  ),
  response: { 201: Data(ConsoleSession) }
}
export const deleteSession = {
  tags,
  summary: 'Sign a browser out',
  response: { 200: Data(ConsoleSession) }
}
const Gone = Type.Null({ description: 'Goes on' })
export const beginSignIn = {
  tags,
  summary: 'Begin to sign in elsewhere',
  description: 'For browsers: goes on to where a person signs in, which comes back to the callback.',
  params: Type.Object({ method: Type.String({ maxLength: 64 }) }),
  querystring: Type.Object({
    to: Type.Optional(Type.String({ maxLength: 500, description: 'Where in the console to go on' })),
    project: Type.Optional(Type.String({ maxLength: 64, description: 'In which project to work' })),
    fresh: Type.Optional(Type.Boolean({ description: 'To be asked who one is, also where that is known' }))
  }),
  response: { 303: Gone, 404: {} }
}
export const finishSignIn = {
  tags,
  summary: 'Come back from signing in elsewhere',
  description: 'Sets the cookie of the session for the browser that began, once.',
  params: Type.Object({ method: Type.String({ maxLength: 64 }) }),
  querystring: query,
  response: { 303: Gone, 404: {} }
}
export const createLink = {
  tags,
  summary: 'Make a link that signs a browser in once',
  response: {
    201: Data(
      Type.Object(
        {
          url: Type.String({
            format: 'uri',
            examples: ['https://platform.example.com/console/sign-in#code=q83vASNFZ4mrze8']
          }),
          expiresAt: Type.Union([Time, Type.Null()], {
            description: 'Null while authentication is switched off, where nobody signs in'
          })
        },
        { title: 'ConsoleLink' }
      )
    )
  }
}
export const followPacks = {
  tags,
  summary: 'Follow which packs there are',
  description: 'An event `packs` at once, and after each change; its data is their list.',
  response: {
    200: { content: { 'text/event-stream': { schema: Type.Array(ConsolePack) } } }
  }
}
