import type { ModelRequest } from './model-server.ts'

/** Serves prompts as a prefix cache does: what a request has in common with an earlier one, from its beginning on. */
export function createPrefixCache() {
  const seen: string[] = []
  const counted = { whole: 0, cached: 0 }
  return {
    counted,
    share: () => counted.cached / counted.whole,
    take({ body }: ModelRequest) {
      const text = JSON.stringify(body.tools ?? []) + JSON.stringify(body.messages)
      // What comes before the first request of a conversation is cached by nobody.
      if (seen.length > 0) {
        counted.whole += text.length
        counted.cached += Math.max(...seen.map((it) => commonLength(it, text)))
      }
      seen.push(text)
    }
  }
}

function commonLength(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}
