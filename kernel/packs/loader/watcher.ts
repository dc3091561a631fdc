import { watch } from 'node:fs'
import { isLeftOut } from './digest.ts'

/** A change is heard once this many milliseconds have passed without another one in the same pack. */
const SETTLING_MS = 100

/** Tells the name of each pack in the folders whose files changed, that came or went. */
export function watchPacks(folders: readonly string[], hear: (name: string) => void): Disposable {
  const timers = new Map<string, NodeJS.Timeout>()
  const options = { recursive: true, persistent: false, ignore: isLeftOut }
  const watchers = folders.map((folder) =>
    watch(folder, options, (_, path) => {
      if (path === null || isLeftOut(path)) return
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
