import type { Static } from 'typebox'
import { Type } from 'typebox'

export const ImageSettings = Type.Object({
  imagesPerMinute: Type.Integer({
    env: 'IMAGES_PER_MINUTE',
    minimum: 1,
    maximum: 10_000,
    default: 20,
    description: 'Images that one owner may have made in a minute'
  }),
  imageSeconds: Type.Integer({
    env: 'IMAGE_SECONDS',
    minimum: 1,
    maximum: 600,
    default: 180,
    description: 'How long a provider may take'
  })
})
export type ImageSettings = Static<typeof ImageSettings>
