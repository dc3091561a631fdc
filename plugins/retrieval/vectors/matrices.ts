import { createDots, createMemory, STEP } from './dots.ts'

/** Matrices lie in blocks of one page of WebAssembly, so that what leaves makes room for any other. */
const BLOCK = 65_536
/** The first block is for the vector that is looked for, the second for products. */
const RESERVED = 2
/** Blocks that the memory grows by at once: each time takes as long as thousands of products. */
const GROWTH = 128

interface Matrix {
  readonly dimensions: number
  /** Floats of a row, with what is added so that they can be multiplied in steps. */
  readonly width: number
  readonly rowsABlock: number
  readonly blocks: number[]
  /** Which row stands for which entry. */
  numbers: Float64Array
  count: number
  /** The greatest number that it ever had: what comes after it is new. */
  greatest: number
}

export interface Nearest {
  readonly number: number
  readonly score: number
}

/** Vectors by key, in at most so many bytes: the key that was not used for longest leaves first, as a whole. */
export function createMatrices(maxBytes: number) {
  const most = Math.max(16, Math.floor(maxBytes / BLOCK)) + RESERVED
  const memory = createMemory(RESERVED, most)
  const dots = createDots(memory)
  const matrices = new Map<string, Matrix>()
  const free: number[] = []
  let floats = new Float32Array(memory.buffer)
  let blocks = RESERVED

  function use(key: string): Matrix | undefined {
    const matrix = matrices.get(key)
    if (matrix) matrices.delete(key)
    if (matrix) matrices.set(key, matrix)
    return matrix
  }

  function drop(key: string): void {
    free.push(...(matrices.get(key)?.blocks ?? []))
    matrices.delete(key)
  }

  /** A block for that key; undefined where there is no room even without all others. */
  function take(key: string): number | undefined {
    for (;;) {
      const block = free.pop()
      if (block !== undefined) return block
      if (blocks < most) {
        const more = Math.min(GROWTH, most - blocks)
        memory.grow(more)
        floats = new Float32Array(memory.buffer)
        for (let added = blocks + more - 1; added > blocks; added--) free.push(added)
        blocks += more
        return blocks - more
      }
      const oldest = matrices.keys().find((other) => other !== key)
      if (oldest === undefined) return undefined
      drop(oldest)
    }
  }

  const at = ({ blocks: own, rowsABlock, width }: Matrix, row: number) =>
    ((own[Math.floor(row / rowsABlock)] as number) * BLOCK) / 4 + (row % rowsABlock) * width

  function create(key: string, dimensions: number): void {
    drop(key)
    const width = Math.ceil(dimensions / STEP) * STEP
    const rowsABlock = Math.floor(BLOCK / 4 / width)
    matrices.set(key, {
      dimensions,
      width,
      rowsABlock,
      blocks: [],
      numbers: new Float64Array(64),
      count: 0,
      greatest: -1
    })
  }

  /** Adds rows, those that are there already aside; false where there is no room, and then the key is gone. */
  function add(key: string, numbers: Float64Array, rows: Float32Array): boolean {
    const matrix = use(key)
    if (!matrix) return false
    const { dimensions, width, rowsABlock } = matrix
    const isNew = numbers.every((number, at) => number > (numbers[at - 1] ?? matrix.greatest))
    const known = isNew ? undefined : new Set(matrix.numbers.subarray(0, matrix.count))
    for (const [index, number] of numbers.entries()) {
      if (known?.has(number)) continue
      if (matrix.count === matrix.blocks.length * rowsABlock) {
        const block = take(key)
        if (block === undefined) {
          drop(key)
          return false
        }
        matrix.blocks.push(block)
      }
      if (matrix.count === matrix.numbers.length) {
        const more = new Float64Array(matrix.count * 2)
        more.set(matrix.numbers)
        matrix.numbers = more
      }
      const start = at(matrix, matrix.count)
      floats.set(rows.subarray(index * dimensions, (index + 1) * dimensions), start)
      floats.fill(0, start + dimensions, start + width)
      matrix.numbers[matrix.count++] = number
      matrix.greatest = Math.max(matrix.greatest, number)
    }
    return true
  }

  /** The last row takes the place of one that goes. */
  function remove(key: string, numbers: Float64Array): void {
    const matrix = matrices.get(key)
    if (!matrix) return
    for (const number of numbers) {
      const row = matrix.numbers.subarray(0, matrix.count).indexOf(number)
      if (row < 0) continue
      const last = --matrix.count
      matrix.numbers[row] = matrix.numbers[last] as number
      const start = at(matrix, last)
      floats.copyWithin(at(matrix, row), start, start + matrix.width)
      if (last === (matrix.blocks.length - 1) * matrix.rowsABlock) free.push(matrix.blocks.pop() as number)
    }
  }

  /** Those of the key that are nearest, the nearest first; only such as are among `allowed`, if that is given. */
  function nearest(
    key: string,
    vector: Float32Array,
    limit: number,
    allowed?: ReadonlySet<number>
  ): readonly Nearest[] | undefined {
    const matrix = use(key)
    if (!matrix) return undefined
    const { width, rowsABlock, blocks: own, count, numbers } = matrix
    floats.fill(0, 0, width).set(vector.subarray(0, width))
    const best: Nearest[] = []
    let least = Number.NEGATIVE_INFINITY
    for (const [index, block] of own.entries()) {
      const before = index * rowsABlock
      const rows = Math.min(rowsABlock, count - before)
      dots(0, block * BLOCK, BLOCK, rows, width * 4)
      for (let row = 0; row < rows; row++) {
        const score = floats[BLOCK / 4 + row] as number
        if (best.length === limit && score <= least) continue
        const number = numbers[before + row] as number
        if (allowed && !allowed.has(number)) continue
        place(best, { number, score }, limit)
        least = (best.at(-1) as Nearest).score
      }
    }
    return best
  }

  return { has: (key: string) => matrices.has(key), create, drop, add, remove, nearest }
}

/** Keeps the best ones in order. */
function place(best: Nearest[], found: Nearest, limit: number): void {
  let at = best.length
  while (at > 0 && (best[at - 1] as Nearest).score < found.score) at--
  best.splice(at, 0, found)
  if (best.length > limit) best.pop()
}
