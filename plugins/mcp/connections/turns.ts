import { pace } from 'agent-platform'

/** The items one after the other; others have their turn in between, whenever the work on them took a while. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) {
    yield item
    await pace()
  }
}
