const token = /"(?:[^"\\]|\\.)*"?|[{}[\],:]/gs

/** The first name that an object of a JSON text has twice: parsers differ in which of the two they take. */
export function twinOf(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  let last: string | undefined
  for (const [found] of json.matchAll(token)) {
    if (found === '{') open.push(new Set())
    else if (found === '[') open.push(undefined)
    else if (found === '}' || found === ']') open.pop()
    else if (found === ':' && last !== undefined) {
      const name: string = JSON.parse(last)
      const names = open.at(-1)
      if (names?.has(name)) return name
      names?.add(name)
    }
    last = found.startsWith('"') ? found : undefined
  }
  return undefined
}
