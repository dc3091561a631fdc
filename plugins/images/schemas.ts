import { Closed, Data, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const ImageAsset = Type.Object(
  {
    id: Type.String({ description: 'The file', examples: ['file_01k4qz0000e0080000000000ab'] }),
    name: Type.String(),
    mediaType: Type.String({ examples: ['image/png'] }),
    size: Type.Integer({ description: 'In bytes' }),
    sha256: Type.String(),
    url: Type.String({
      description: 'Of its bytes, relative to the address of the platform; read with a credential',
      examples: ['/v1/files/file_01k4qz0000e0080000000000ab/content']
    }),
    createdAt: Time
  },
  { title: 'ImageAsset' }
)
const GeneratedImages = Type.Object(
  {
    agentId: Type.String(),
    kind: Type.Enum(['image', 'avatar']),
    modelProvider: Type.String({
      description: '`drawing`: drawn from the words by rules, and by no model that understands them'
    }),
    modelId: Type.String(),
    images: Type.Array(ImageAsset),
    avatar: Type.Boolean({ description: 'Whether the first one is the avatar of the agent now' })
  },
  { title: 'GeneratedImages' }
)
const ImageOrder = Closed({
  prompt: Type.String({ minLength: 1, maxLength: 4_000, pattern: '\\S', examples: ['A lighthouse at dawn'] }),
  kind: Type.Optional(
    Type.Enum(['image', 'avatar'], { default: 'image', description: '`avatar`: square, for an agent' })
  ),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 4, default: 1 })),
  size: Type.Optional(
    Type.Enum(['256x256', '512x512', '1024x1024', '1024x1536', '1536x1024'], { default: '1024x1024' })
  ),
  setAvatar: Type.Optional(
    Type.Boolean({ default: false, description: 'The first one becomes the avatar of the agent' })
  )
})

export type ImageOrder = Static<typeof ImageOrder>
export type GeneratedImages = Static<typeof GeneratedImages>

export const generateImages = {
  tags: ['images'],
  summary: 'Generate durable image assets',
  description:
    'Made by what serves images in the project (`/v1/providers/images`), and kept as files in the library of the agent’s owner. ' +
    'Without a provider avatars alone are drawn; anything else is 503.',
  params: Type.Object({ agentId: Type.String() }),
  body: ImageOrder,
  response: { 201: Data(GeneratedImages), 503: {} }
}
