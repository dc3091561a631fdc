// Loaded before what it is for: stripping types and compiling take longer than all else of a start. What was compiled is
// code that is executed, so it lies in the folder that this user already trusts with copies of packs, not in one for all
// users of the machine.
import { mkdirSync, statSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'

const dataDir = process.env.DATA_DIR || '.data'
try {
  if (!statSync(dataDir, { throwIfNoEntry: false })) mkdirSync(dataDir)
  const { uid } = statSync(dataDir)
  if (uid === (process.getuid?.() ?? uid)) module.enableCompileCache?.(join(dataDir, 'compiled'))
} catch {
  // It starts without; why the folder is of no use is said where it is opened.
}
