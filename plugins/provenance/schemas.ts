import { Data, OrNull, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Anchor } from './anchors/schemas.ts'
import { itemTypes } from './recording/items.ts'

const scopeTypes = ['run', 'session', 'agent', 'document', 'file', 'space'] as const
const Scope = Type.Object({ type: Type.Enum([...scopeTypes]), id: Type.String() })
const Sha256 = Type.String({ description: 'SHA-256, in hex' })
const TracedRun = Type.Object(
  {
    runId: Type.String(),
    owner: Type.String(),
    sessionId: Type.String(),
    agentId: Type.String(),
    mode: Type.Enum(['metadata', 'full']),
    status: Type.String({ examples: ['completed'] }),
    items: Type.Integer({ description: 'What its bundle has' }),
    answerSha256: OrNull(Sha256),
    startedAt: Time,
    endedAt: Time
  },
  { title: 'TracedRun' }
)
const Use = Type.Object(
  {
    type: Type.Enum([...itemTypes]),
    id: Type.String(),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'By type: digests, the version and place of a passage, the name of a tool, tokens of a model'
    }),
    runIds: Type.Array(Type.String(), { description: 'The runs of this page that used it' })
  },
  { title: 'ProvenanceUse' }
)
const Report = Type.Object(
  {
    scope: Scope,
    traceId: OrNull(Type.String({ description: 'Of the bundle; null where there is none' })),
    runs: Type.Array(TracedRun, { description: 'A page, newest first' }),
    contributors: Type.Array(Use, { description: 'Agents, people, services and models' }),
    sources: Type.Array(Use, {
      description: 'Messages, memories, passages of documents, files and calls of tools'
    }),
    nextCursor: OrNull(Type.String({ description: 'Opaque; null on the last page' }))
  },
  { title: 'ProvenanceReport' }
)
const Bundle = Type.Object(
  {
    bundle: Type.Object(
      {
        mediaType: Type.String(),
        verificationMaterial: Type.Object({
          publicKey: Type.Object({ hint: Type.String({ description: 'The id of the key' }) }),
          tlogEntries: Type.Array(Type.Unknown())
        }),
        dsseEnvelope: Type.Object({
          payload: Type.String({ description: 'An in-toto Statement v1, in base64' }),
          payloadType: Type.String(),
          signatures: Type.Array(Type.Object({ sig: Type.String(), keyid: Type.String() }))
        })
      },
      { description: 'A Sigstore bundle v0.3' }
    ),
    items: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'The leaves of the tree whose root is signed, each as its canonical JSON (RFC 8785)'
    }),
    proofs: Type.Optional(
      Type.Array(Type.Array(Sha256), {
        description: 'Where not all items are shown: for each of them its inclusion proof (RFC 6962)'
      })
    ),
    anchor: Type.Optional(Anchor)
  },
  { title: 'ProvenanceBundle' }
)
const SigningKey = Type.Object(
  {
    id: Type.String({ description: 'SHA-256 of the key (DER), in hex' }),
    algorithm: Type.Literal('Ed25519'),
    publicKey: Type.String({ description: 'PEM' }),
    createdAt: Time,
    signsUntil: Time
  },
  { title: 'ProvenanceKey' }
)

export type Report = Static<typeof Report>
export type Use = Static<typeof Use>

const tags = ['provenance']
const id = Type.String({ maxLength: 128 })

export const readSession = {
  tags,
  summary: 'Sources and contributors for a session',
  params: Type.Object({ sessionId: id }),
  querystring: Type.Object(Paging),
  response: { 200: Data(Report) }
}
export const readScope = {
  tags,
  summary: 'Report for any scope',
  description:
    'Of an agent, a document, a file or a knowledge space: what those of its runs used that the caller may see.',
  params: Type.Object({ scopeType: Type.Enum([...scopeTypes]), scopeId: id }),
  querystring: Type.Object(Paging),
  response: { 200: Data(Report) }
}
export const readBundle = {
  tags,
  summary: 'Portable bundle',
  description: 'Of a run or a session, by its id: signed, and checked without the platform.',
  params: Type.Object({ traceId: id }),
  querystring: Type.Object({
    item: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999_999_999,
        description: 'Only this one, with the proof that it is one of them'
      })
    )
  }),
  response: { 200: Data(Bundle) }
}
export const readKey = {
  tags,
  summary: 'A public key that signs bundles, or did',
  params: Type.Object({ keyId: id }),
  response: { 200: Data(SigningKey) }
}
