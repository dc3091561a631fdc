/** A body as far as it may be read: no more than `most` bytes are kept, and no more is asked for. `cut`: there was more. */
export async function readCapped(
  body: AsyncIterable<Uint8Array> | null | undefined,
  most: number
): Promise<{ bytes: Buffer; cut: boolean }> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    parts.push(part)
    size += part.byteLength
    if (size > most) break
  }
  return { bytes: Buffer.concat(parts).subarray(0, most), cut: size > most }
}
