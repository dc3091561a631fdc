/** What goes when a measurement ends, the last first. */
export interface Scope {
  teardown(work: () => unknown): unknown
}

/** Runs `work` with a scope of its own. */
export async function withScope<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
  const endings: (() => unknown)[] = []
  try {
    return await work({ teardown: (ending) => endings.push(ending) })
  } finally {
    for (const ending of endings.reverse()) await ending()
  }
}
