/** The first bytes of a stream, up to about `size`, and the whole of it, of which no more was read yet. */
export async function sample(
  source: AsyncIterable<Uint8Array>,
  size: number
): Promise<{ head: Uint8Array; whole: AsyncIterable<Uint8Array> }> {
  const rest = source[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  for (let length = 0; length < size; ) {
    const { done, value } = await rest.next()
    if (done) break
    read.push(value)
    length += value.length
  }
  async function* whole() {
    let isOver = false
    try {
      yield* read
      for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
      isOver = true
    } finally {
      if (!isOver) await rest.return?.()
    }
  }
  return { head: Buffer.concat(read), whole: whole() }
}
