import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBubblewrap } from '../plugins/computers/bubblewrap/bubblewrap.ts'

/** Why tests with computers are skipped here; false where they are not. */
export async function noComputers(): Promise<string | false> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-platform-computers-'))
  try {
    const looked = await createBubblewrap({ folder, hidden: [] }).look()
    return looked.usable ? false : looked.reason
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
