interface Held {
  readonly it: Promise<unknown>
  readonly close: (it: unknown) => Promise<void>
  readonly users: Set<object>
}

export interface SharedThings {
  /** The thing under that key, opened when nobody holds it; held by `user` until `release`. */
  hold<T>(user: object, key: string, open: () => Promise<T>, close: (it: T) => Promise<void>): Promise<T>
  /** Lets go of all that `user` held; what nobody holds is closed. */
  release(user: object): Promise<void>
}

/** Expensive things that outlive a generation, counted by the generations that use them. */
export function createShared(): SharedThings {
  const held = new Map<string, Held>()

  async function hold<T>(user: object, key: string, open: () => Promise<T>, close: (it: T) => Promise<void>) {
    let thing = held.get(key)
    if (!thing) {
      thing = { it: open(), close: close as Held['close'], users: new Set() }
      held.set(key, thing)
    }
    thing.users.add(user)
    try {
      return (await thing.it) as T
    } catch (error) {
      if (held.get(key) === thing) held.delete(key)
      throw error
    }
  }

  async function release(user: object) {
    const closing: Promise<void>[] = []
    for (const [key, thing] of held) {
      if (!thing.users.delete(user) || thing.users.size > 0) continue
      held.delete(key)
      closing.push(thing.it.then(thing.close, () => undefined))
    }
    const failed = (await Promise.allSettled(closing)).find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }

  return { hold, release }
}
