/** Names that every vendor accepts: Google's must not begin with a digit or a hyphen. */
const ACCEPTED = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/
const LONGEST = 64

export const isAccepted = (name: string): boolean => ACCEPTED.test(name)

/** The same name with every character that a vendor refuses replaced, and cut to 64 characters. */
export function acceptedName(name: string): string {
  const characters = name.slice(0, LONGEST).replaceAll(/[^A-Za-z0-9_-]/g, '_')
  return ACCEPTED.test(characters) ? characters : `_${characters}`.slice(0, LONGEST)
}

export interface ToolNames {
  /** The name under which a tool is sent. */
  sent(name: string): string
  /** The tool's own name, of a name that was sent. */
  own(name: string): string
  /** Some of the names that are offered are sent under another one. */
  readonly areChanged: boolean
}

/** Names for the tools of one request, each sent under a name of its own. */
export function toolNames(offered: readonly string[]): ToolNames {
  const sent = new Map<string, string>()
  const own = new Map<string, string>()
  for (const name of offered) if (isAccepted(name)) own.set(name, name)
  for (const name of offered) {
    if (isAccepted(name)) continue
    let accepted = acceptedName(name)
    for (let count = 2; own.has(accepted); count++)
      accepted = `${acceptedName(name).slice(0, LONGEST - 4)}_${count}`
    sent.set(name, accepted)
    own.set(accepted, name)
  }
  return {
    sent: (name) => sent.get(name) ?? acceptedName(name),
    own: (name) => own.get(name) ?? name,
    areChanged: sent.size > 0
  }
}
