import { spawnSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { temporaryFolder } from '../../pack-folders.ts'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import type { Measure } from '../row.ts'

const MIB = 1_048_576
const ROUNDS = 3
const BOUNDARY = 'a-boundary-of-the-bench'
const PACKS = ['access', 'agents', 'jobs', 'storage', 'files']

/** A file of bytes that differ from each other, and in each round. */
async function writeFile(path: string, size: number): Promise<void> {
  const file = await open(path, 'w')
  const piece = Buffer.alloc(16 * MIB)
  for (let at = 0; at < size; at += piece.length) await file.write(randomFillSync(piece))
  await file.sync()
  await file.close()
}

async function upload({ url, key }: Served, path: string): Promise<void> {
  const sent = request(`${url}/v1/files/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`
    }
  })
  const answered = once(sent, 'response')
  sent.write(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`
  )
  await pipeline(createReadStream(path, { highWaterMark: MIB / 4 }), sent, { end: false })
  sent.end(`\r\n--${BOUNDARY}--\r\n`)
  const [response] = await answered
  response.resume()
  if (response.statusCode !== 201) throw new Error(`The upload was answered ${response.statusCode}`)
}

/** What a shell takes to copy a file and to tell its digest, in seconds. */
function copy(path: string): number {
  const begun = performance.now()
  const { status } = spawnSync('sh', ['-c', 'cp "$0" "$0.copy" && sha256sum "$0.copy" && rm "$0.copy"', path])
  if (status !== 0) throw new Error('The file could not be copied')
  return (performance.now() - begun) / 1_000
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number

/** A large file on its way into the storage: how fast, and what of it is in memory. */
export const measure: Measure = async (scope, quick) => {
  const size = (quick ? 128 : 1_024) * MIB
  const folder = await temporaryFolder(scope)
  const env = { FILE_BYTES: String(4 * 1_024 * MIB) }
  const side = await startPlatform(scope, {}, { packs: PACKS, env })
  const rss = async () => (await side.ask<{ rss: number }>('memory')).rss
  const path = join(folder, 'file')
  await writeFile(path, 64 * MIB)
  await upload(side, path)
  const before = await rss()
  let most = before
  const [uploads, copies]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    await writeFile(path, size)
    copies.push(copy(path))
    const begun = performance.now()
    let isOver = false
    const uploading = upload(side, path).finally(() => {
      isOver = true
    })
    while (!isOver) {
      const { rss } = await side.ask<{ rss: number }>('resident')
      most = Math.max(most, rss)
      await Promise.race([uploading, new Promise((resolve) => setTimeout(resolve, 100))])
    }
    await uploading
    uploads.push((performance.now() - begun) / 1_000)
  }
  const [taken, copied] = [median(uploads), median(copies)]
  const growth = (most - before) / MIB
  const speed = copied / taken
  const what = `${quick ? '128 MiB' : '1 GiB'} uploaded`
  return [
    {
      what: `${what}: growth of memory, at most`,
      reach: '≤ 50 MB',
      measured: `${growth.toFixed(0)} MB`,
      met: growth <= 50
    },
    {
      what: `${what}: speed against cp and SHA-256 of the same file`,
      reach: '≥ 0.3',
      measured: `${speed.toFixed(2)} (${taken.toFixed(2)} / ${copied.toFixed(2)} s, ${(size / MIB / taken).toFixed(0)} MiB/s)`,
      met: speed >= 0.3
    }
  ]
}
