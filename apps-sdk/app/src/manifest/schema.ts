import type { Static, TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import { Limits } from '../limits/limits.ts'

// The descriptions are what an author is told when something does not fit.

const closed = { additionalProperties: false }
const Closed = <P extends TProperties>(properties: P, options: object = {}) =>
  Type.Object(properties, { ...closed, ...options })
const List = <S extends TSchema>(schema: S, maxItems: number, description: string) =>
  Type.Array(schema, { maxItems, description })

/**
 * What is not seen, and changes how what stands beside it is read: an author's words stand next to the platform's own where
 * a person decides. Nor half a surrogate pair, which is no character.
 */
const UNSEEN =
  '\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb' +
  '\\ud800-\\udfff\\u{e0000}-\\u{e007f}'
/** Of a line: neither begins nor ends with white space. */
const inLine = `[^\\u0000-\\u001f${UNSEEN}]`
const Line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: `^(?!\\s)(?:${inLine}*(?!\\s)${inLine})$`, description })
const Text = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: `^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f${UNSEEN}]*$`,
    description
  })
const Reason = Line(300, 'Why the app needs it, in a sentence for the person who decides')
const Path = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_][A-Za-z0-9._-]*(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)*$',
    maxLength: 200,
    description
  })
const Word = (description: string) => Type.String({ pattern: '^[a-z][A-Za-z0-9_]{0,47}$', description })
const JsonSchema = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })
const Host = Type.String({
  maxLength: 260,
  description: 'A host such as api.example.com, *.example.com or api.example.com:8443'
})

/** The words that stand in addresses in place of an id are none. */
export const APP_ID = '^(?!(?:capabilities|layout)$)[a-z][a-z0-9-]{2,47}$'
export const CAPABILITY_NAME = '^[a-z][a-z0-9-]*(?:\\.[a-z][A-Za-z0-9_]*)+$'

const CapabilityRequest = Closed({
  name: Type.String({
    pattern: CAPABILITY_NAME,
    maxLength: 100,
    description: 'A capability of the catalogue, such as agents.read'
  }),
  reason: Reason
})
const HostRequest = Closed({ host: Host, reason: Reason })
const ConnectionRequest = Closed({
  key: Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$', description: 'A key such as weather-api' }),
  name: Line(100, 'What people call the service'),
  description: Type.Optional(Text(1_000, 'Where one gets such a key')),
  hosts: Type.Array(Host, {
    minItems: 1,
    maxItems: 10,
    description: 'Hosts that get the key, each of them within egress'
  }),
  auth: Closed({
    type: Type.Enum(['bearer', 'header', 'query'], {
      description: 'How the key is sent: bearer, header or query'
    }),
    name: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{1,60}$',
        description: 'Name of the header or of the query parameter'
      })
    )
  }),
  oauth: Type.Optional(
    Closed(
      {
        provider: Type.String({
          pattern: '^[a-z][a-z0-9-]{0,39}$',
          description: 'Key of a provider of the platform, such as github'
        }),
        scopes: Type.Array(Type.String({ pattern: '^[\\x21-\\x7e]{1,300}$' }), {
          maxItems: 30,
          uniqueItems: true,
          description: 'What the connection has to be allowed, in the words of the provider'
        })
      },
      { description: 'Which OAuth connection of its owner may stand for the key' }
    )
  ),
  required: Type.Optional(Type.Boolean({ description: 'Whether the app is of no use without it' }))
})
const Collection = Closed({
  name: Word('A name such as orders: letters, digits and _, beginning with a small letter'),
  scope: Type.Enum(['app', 'user'], {
    description: 'app: one for all who use the app; user: one for each of them'
  }),
  indexes: Type.Optional(
    List(
      Type.String({
        pattern: '^[A-Za-z_][A-Za-z0-9_]{0,47}(?:\\.[A-Za-z_][A-Za-z0-9_]{0,47}){0,3}$',
        description: 'A field such as status or customer.name'
      }),
      8,
      'Fields by which documents are often found'
    )
  )
})
const Storage = Closed({
  keyValue: Type.Optional(
    Type.Union([Type.Boolean(), Type.Literal('app')], {
      description:
        'Whether the app keeps values by key: true for one of each user; app for those that all who use it share, too'
    })
  ),
  collections: Type.Optional(List(Collection, 20, 'Collections of documents, at most 20')),
  quotaBytes: Type.Optional(
    Type.Integer({ minimum: 1_024, maximum: 10_737_418_240, description: 'Bytes that the app keeps at most' })
  )
})
const FunctionDeclaration = Closed({
  name: Word('A name such as forecast: letters, digits and _, beginning with a small letter'),
  title: Type.Optional(Line(100, 'What people call it')),
  description: Text(2_000, 'What it does; agents decide by it when to call it'),
  input: JsonSchema('JSON Schema of an object'),
  output: Type.Optional(JsonSchema('JSON Schema of what it gives')),
  tool: Type.Optional(Type.Boolean({ description: 'Whether agents and workflows may be given it' })),
  idempotent: Type.Optional(Type.Boolean({ description: 'Whether it may be called again after a fault' })),
  page: Type.Optional(Type.String({ maxLength: 48, description: 'The page that shows what it gives' }))
})
const PageDeclaration = Closed({
  name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,47}$', description: 'A name such as main' }),
  title: Line(100, 'What people call it'),
  entry: Path('Path of an HTML file of the app, such as pages/main.html')
})

/** What an app is, and all that it asks for. */
export const Manifest = Closed(
  {
    manifestVersion: Type.Literal(1, { description: 'The number 1' }),
    id: Type.String({
      pattern: APP_ID,
      description: '3 to 48 small letters, digits and -, beginning with a letter; not layout nor capabilities'
    }),
    name: Line(100, 'What people call the app'),
    version: Type.String({
      pattern:
        '^(?:0|[1-9]\\d{0,8})\\.(?:0|[1-9]\\d{0,8})\\.(?:0|[1-9]\\d{0,8})' +
        '(?:-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$',
      maxLength: 64,
      description: 'A version as in semver.org, such as 1.4.0'
    }),
    description: Text(2_000, 'What the app is for'),
    icon: Type.Optional(Path('Path of a PNG, JPEG or WebP of the app')),
    server: Type.Optional(
      Closed({ entry: Path('Path of one ES module in which all of the app’s code is, such as server.js') })
    ),
    capabilities: List(CapabilityRequest, 50, 'What of the platform the app uses'),
    egress: List(HostRequest, 30, 'Hosts that the app talks to'),
    connections: List(ConnectionRequest, 10, 'Keys of services that the app uses and never sees'),
    storage: Type.Optional(Storage),
    functions: List(FunctionDeclaration, 50, 'What can be called'),
    pages: List(PageDeclaration, 20, 'What is shown'),
    limits: Type.Optional(Type.Partial(Limits, closed))
  },
  { title: 'AppManifest', description: 'The manifest of an app for Agent Platform' }
)
export type Manifest = Static<typeof Manifest>
