import type { FSWatcher } from 'node:fs'
import { readdirSync, realpathSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { isLeftOut } from './snapshot.ts'

interface Log {
  warn(details: object, message: string): void
}

/** A change is heard once this many milliseconds have passed without another one in the same pack. */
const settling = 100

/**
 * Tells the name of each pack in the folders whose files changed, that came or went. Files that belong to no
 * version are not watched.
 */
export function watchPacks(folders: readonly string[], hear: (name: string) => void, log: Log): Disposable {
  const watchers = new Map<string, FSWatcher>()
  const timers = new Map<string, NodeJS.Timeout>()

  function changed(name: string) {
    clearTimeout(timers.get(name))
    timers.set(
      name,
      setTimeout(() => {
        timers.delete(name)
        hear(name)
      }, settling).unref()
    )
  }

  function open(path: string, start: () => FSWatcher) {
    try {
      const watcher = start()
      watcher.on('error', (error) =>
        log.warn({ err: error, path }, 'Cannot watch a folder of packs any longer')
      )
      watchers.set(path, watcher)
    } catch (error) {
      log.warn({ err: error, path }, 'Cannot watch a folder of packs')
    }
  }

  /** Anew at each change of its entry in the folder: what is there now may be another folder or link. */
  function openPack(folder: string, name: string): boolean {
    const path = join(folder, name)
    const wasThere = watchers.has(path)
    watchers.get(path)?.close()
    watchers.delete(path)
    if (isLeftOut(name) || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) return wasThere
    const options = { recursive: true, persistent: false, ignore: isLeftOut }
    open(path, () => watch(realpathSync(path), options, () => changed(name)))
    return true
  }

  for (const folder of folders) {
    open(folder, () =>
      watch(folder, { persistent: false }, (_, name) => {
        if (name !== null && openPack(folder, name)) changed(name)
      })
    )
    if (watchers.has(folder)) for (const name of readdirSync(folder)) openPack(folder, name)
  }

  return {
    [Symbol.dispose]() {
      for (const watcher of watchers.values()) watcher.close()
      for (const timer of timers.values()) clearTimeout(timer)
    }
  }
}
