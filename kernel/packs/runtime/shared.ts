interface Held {
  readonly it: Promise<unknown>
  readonly close: (it: unknown) => Promise<void>
  readonly users: Set<object>
}

/** Expensive things that outlive a generation, counted by the generations that use them. */
export function createShared() {
  const held = new Map<string, Held>()

  return {
    /** The thing under that key, opened by its first user; held by `user` until `release`. */
    async hold<T>(
      user: object,
      key: string,
      open: () => Promise<T>,
      close: (it: T) => Promise<void>
    ): Promise<T> {
      const thing = held.get(key) ?? { it: open(), close: close as Held['close'], users: new Set() }
      held.set(key, thing)
      thing.users.add(user)
      return thing.it.catch((error) => {
        if (held.get(key) === thing) held.delete(key)
        throw error
      }) as Promise<T>
    },

    /** Lets go of all that `user` held; what has no user left is closed. */
    async release(user: object): Promise<void> {
      const closing: Promise<void>[] = []
      for (const [key, { it, close, users }] of held) {
        if (!users.delete(user) || users.size > 0) continue
        held.delete(key)
        closing.push(it.then(close, () => undefined))
      }
      await Promise.all(closing)
    }
  }
}
