interface Connecting {
  readonly connected: boolean
  onChange(hear: (connected: boolean) => void): Disposable
}

/** Resolves when it is connected, or is not any more. */
export const becomes = (it: Connecting, connected: boolean): Promise<void> =>
  new Promise((resolve) => {
    if (it.connected === connected) return resolve()
    const heard = it.onChange((now) => {
      if (now !== connected) return
      heard[Symbol.dispose]()
      resolve()
    })
  })
