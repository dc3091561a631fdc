import type { Daemon } from './daemon.ts'
import { statusOf } from './daemon.ts'

const PULL_MS = 900_000

/** Images that computers are made of: those that the operator names, and no others that lie with the daemon. */
export function createImages(daemon: Daemon, { pulls }: { readonly pulls: boolean }) {
  /** What of it matters; undefined where the daemon does not have it. */
  async function find(image: string): Promise<{ readonly volumes: readonly string[] } | undefined> {
    try {
      const { Config } = await daemon.ask<{ Config?: { Volumes?: object | null } }>(
        'GET',
        `/images/${image}/json`
      )
      return { volumes: Object.keys(Config?.Volumes ?? {}) }
    } catch (error) {
      if (statusOf(error) === 404) return undefined
      throw error
    }
  }

  return {
    find,
    /** The image, pulled where that is allowed; rejects with what to run where it is not there. */
    async take(image: string): Promise<{ readonly volumes: readonly string[] }> {
      const there = await find(image)
      if (there) return there
      if (!pulls) throw new Error(`the image ${image} is not there: docker pull ${image}`)
      const [, name = image, tag = 'latest'] = /^(.+?)(?::([^:/@]+))?$/.exec(image) ?? []
      const query: Record<string, string> = image.includes('@')
        ? { fromImage: image }
        : { fromImage: name, tag }
      await daemon.follow('/images/create', { query, ms: PULL_MS })
      const pulled = await find(image)
      if (!pulled) throw new Error(`the image ${image} could not be pulled`)
      return pulled
    }
  }
}
