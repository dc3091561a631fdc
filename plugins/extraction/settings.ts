import type { Static } from 'typebox'
import { Type } from 'typebox'

export const ExtractionSettings = Type.Object({
  maxBytes: Type.Integer({
    env: 'EXTRACTION_BYTES',
    minimum: 1_024,
    maximum: 104_857_600,
    default: 33_554_432,
    description: 'Bytes of a document that is read; a larger one is refused'
  }),
  maxCharacters: Type.Integer({
    env: 'EXTRACTION_CHARACTERS',
    minimum: 1_000,
    maximum: 20_000_000,
    default: 4_000_000,
    description: 'Characters of text that are taken out of a document; what comes after them is left out'
  }),
  maxPages: Type.Integer({
    env: 'EXTRACTION_PAGES',
    minimum: 1,
    maximum: 100_000,
    default: 2_000,
    description: 'Pages of a document that are read; what comes after them is left out'
  }),
  maxPixels: Type.Integer({
    minimum: 1_000_000,
    maximum: 250_000_000,
    default: 50_000_000,
    description: 'Pixels of an image that is previewed; one with more is refused before it is decoded'
  }),
  seconds: Type.Integer({
    env: 'EXTRACTION_SECONDS',
    minimum: 1,
    maximum: 600,
    default: 20,
    description:
      'Seconds that a document may take; a text that is incomplete by half of them is given as far as it got'
  }),
  memoryMegabytes: Type.Integer({
    minimum: 700,
    maximum: 16_384,
    default: 1_024,
    description: 'Memory of a process that reads documents, the 0.6 GB that Node reserves included'
  }),
  processes: Type.Integer({
    minimum: 1,
    maximum: 32,
    default: 1,
    description:
      'Processes that read documents at a time; each is there only while there is something to read'
  })
})
export type ExtractionSettings = Static<typeof ExtractionSettings>
