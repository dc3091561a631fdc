import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecEnd } from '../guest/orders.ts'
import { createHomes } from '../local/homes.ts'
import { HOME, OWN, PROXY_PORT } from '../local/surroundings.ts'
import type { Machine } from '../provider/machine.ts'
import type { StartOrder } from '../provider/provider.ts'

const TEXT = 'seen'
/** A shell of the image writes to the home, and the computer's own Node.js asks for a way out. */
const LOOK = `printf ${TEXT} >probe && exec ${OWN}/bin/node -e "require('net').connect(${PROXY_PORT},'127.0.0.1').on('error',()=>{}).resume()"`

/**
 * Starts a whole computer on a folder beside the homes, and looks whether what it writes arrives and whether its way out leads here:
 * a daemon of another machine, or one that sees other files, says nothing of that. Undefined where all is well.
 */
export async function probe(
  folder: string,
  begin: (order: StartOrder, homes: ReturnType<typeof createHomes>) => Promise<{ machine: Machine }>
): Promise<[reason: string, install: string] | undefined> {
  const place = await mkdtemp(join(folder, 'probe-'))
  try {
    const homes = createHomes(place, process.getuid?.())
    let isReached = false
    const egress = {
      accept(connection: { end(): void }) {
        isReached = true
        connection.end()
      },
      close() {}
    }
    const size = { vcpu: 1, memoryMb: 256, storageMb: 16, gpu: 0 }
    const { machine } = await begin({ number: 0, hostname: 'probe', egress, image: null, ...size }, homes)
    try {
      const order = { op: 'exec', argv: ['/bin/sh', '-c', LOOK], cwd: HOME, env: {}, most: 1_000 } as const
      await machine.perform<ExecEnd>(order).done
      const written = await readFile(join(place, '0', 'home', 'probe'), 'utf8').catch(() => '')
      if (written !== TEXT)
        return [
          'a container writes nothing that the platform sees',
          'use a daemon that sees DATA_DIR under the same path, and maps no users (rootless, userns-remap)'
        ]
      if (!isReached)
        return [
          'a container does not reach the socket of the platform',
          'use a daemon of this machine, and of no virtual one'
        ]
    } finally {
      await machine.stop()
    }
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
