import { randomBytes } from 'node:crypto'
import { constants, crc32, deflateRawSync } from 'node:zlib'

export interface Packed {
  readonly name: string | Buffer
  readonly content?: string | Buffer
  /** Deflated already; `size` and `sum` are said of it, whatever it unpacks to. */
  readonly deflated?: Buffer
  readonly size?: number
  readonly sum?: number
  readonly stored?: boolean
  /** Of Unix, with the type of the file. */
  readonly mode?: number
  readonly flags?: number
  readonly method?: number
  /** As the entry itself says it, where it differs from the directory. */
  readonly localName?: string
  /** In the directory only: the place of another entry. */
  readonly at?: number
}

const UTF8 = 0x800

/** A ZIP archive, also one that no packer would write. `count`: how many entries it says that it has. */
export function zipOf(entries: readonly Packed[], { count = entries.length } = {}): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const { stored = false, mode = 0o100644, flags = UTF8, method = stored ? 0 : 8 } = entry
    const content = Buffer.from(entry.content ?? '')
    const body = entry.deflated ?? (stored ? content : deflateRawSync(content))
    const { size = content.length, sum = crc32(content) } = entry
    const name = Buffer.from(entry.name as string)
    const local = Buffer.from(entry.localName ?? name)
    const about = (nameLength: number) => {
      const buffer = Buffer.alloc(26)
      const fields = [20, flags, method, 0, 0x21] as const
      for (const [index, value] of fields.entries()) buffer.writeUInt16LE(value, index * 2)
      buffer.writeUInt32LE(sum, 10)
      buffer.writeUInt32LE(body.length, 14)
      buffer.writeUInt32LE(size, 18)
      buffer.writeUInt16LE(nameLength, 22)
      return buffer
    }
    const place = Buffer.alloc(14)
    place.writeUInt32LE((mode << 16) >>> 0, 6)
    place.writeUInt32LE(entry.at ?? offset, 10)
    // Made by Unix, version 3.0.
    const made = Buffer.from([30, 3])
    directory.push(Buffer.from('PK\u0001\u0002', 'latin1'), made, about(name.length), place, name)
    parts.push(Buffer.from('PK\u0003\u0004', 'latin1'), about(local.length), local, body)
    offset += 30 + local.length + body.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(count & 0xffff, 8)
  end.writeUInt16LE(count & 0xffff, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}

/** As many MiB, deflated to about 5 KiB each: 50 MB are 10 GB of it. */
export function bombOf(mebibytes: number): Buffer {
  const content = Buffer.concat([randomBytes(4_096), Buffer.alloc(1_048_576 - 4_096)])
  const piece = deflateRawSync(content, { finishFlush: constants.Z_FULL_FLUSH })
  const last = deflateRawSync(Buffer.alloc(0))
  return Buffer.concat([...Array.from({ length: mebibytes }, () => piece), last])
}
