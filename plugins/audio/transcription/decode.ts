/** Kinds of sound that are decoded, by their first bytes. */
const kinds = [
  { mediaType: 'audio/wav', at: 0, begins: 'RIFF' },
  { mediaType: 'audio/ogg', at: 0, begins: 'OggS' },
  { mediaType: 'audio/webm', at: 0, begins: '\u001aE\u00df\u00a3' },
  { mediaType: 'audio/mpeg', at: 0, begins: 'ID3' }
] as const

export type SoundType = (typeof kinds)[number]['mediaType']

/** What the bytes are, whatever they are called; undefined for what is not decoded here. */
export function soundTypeOf(bytes: Uint8Array): SoundType | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(64, bytes.length)).toString('latin1')
  const kind = kinds.find(({ at, begins }) => head.startsWith(begins, at))
  // A frame of MPEG audio begins with eleven ones.
  if (!kind) return bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0 ? 'audio/mpeg' : undefined
  return kind.mediaType
}

export interface Sound {
  readonly channelData: readonly Float32Array[]
  readonly sampleRate: number
}

/** Throws for what cannot be decoded. */
export async function decode(bytes: Uint8Array): Promise<Sound> {
  switch (soundTypeOf(bytes)) {
    case 'audio/wav':
      return (await import('@audio/decode-wav')).default(bytes)
    case 'audio/mpeg':
      return (await import('@audio/decode-mp3')).default(bytes)
    case 'audio/webm':
      return (await import('@audio/decode-webm')).default(bytes)
    case 'audio/ogg':
      return isOpus(bytes)
        ? (await import('@audio/decode-opus')).default(bytes)
        : (await import('@audio/decode-vorbis')).default(bytes)
    default:
      throw new Error('no sound that is known here')
  }
}

/** The first packet of a stream names its codec, behind the header of its page. */
const isOpus = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(256, bytes.length)).includes('OpusHead')
