import { watch } from 'node:fs'
import { isLeftOut } from './digest.ts'

/** A change is heard once this many milliseconds have passed without another one in the same pack. */
const SETTLING_MS = 100

/** Of a path below a folder of packs. */
function isOfNoVersion(path: string): boolean {
  const [name = '', ...inPack] = path.split(/[/\\]/)
  return name.startsWith('.') || name === 'node_modules' || isLeftOut(inPack.join('/'))
}

/** Tells the name of each pack in the folders whose files changed, that came or went. */
export function watchPacks(folders: readonly string[], hear: (name: string) => void): Disposable {
  const timers = new Map<string, NodeJS.Timeout>()
  const options = { recursive: true, persistent: false, ignore: isOfNoVersion }
  const watchers = folders.map((folder) =>
    watch(folder, options, (_, path) => {
      if (path === null || isOfNoVersion(path)) return
      const name = path.split(/[/\\]/)[0] as string
      clearTimeout(timers.get(name))
      timers.set(name, setTimeout(hear, SETTLING_MS, name).unref())
    })
  )
  return {
    [Symbol.dispose]() {
      for (const watcher of watchers) watcher.close()
      for (const timer of timers.values()) clearTimeout(timer)
    }
  }
}
