import type { Denial, Kept } from './schemas.ts'

type Told = Pick<Denial, 'explanation' | 'remedies'>

/** A denial with its reason in words, and what would let such a request through. */
export const explained = (denial: Kept): Denial => ({ ...denial, ...reasonOf(denial) })

function reasonOf(denial: Kept): Told {
  const { code, caller, resource, message } = denial
  if (resource && !caller)
    return told(`A caller of another project asked for ${named(resource)}: no principal crosses projects.`, [
      'Ask with a key of the project that it belongs to.'
    ])
  if (resource && caller && code === 'not_owner') return foreign(denial, named(resource), caller)
  if (resource && code === 'not_granted')
    return told(`${who(caller)} was granted ${named(resource)}, but not for that: ${sentence(message)}`, [
      `Raise the level of the grant of ${who(caller)}.`
    ])
  switch (code) {
    case 'scope_missing':
      return told(
        caller?.scopes
          ? `The key of ${who(caller)} was narrowed to ${listed(caller.scopes)}. ${sentence(message)}`
          : `${sentence(message)} Such a scope is never implied.`,
        ['Make a key that has one of these scopes, by a credential that has them.']
      )
    case 'user_principal':
    case 'agent_principal':
    case 'service_principal':
    case 'not_for_agents':
      return told(`${sentence(message)} ${who(caller)} is a principal of type ${caller?.type}.`, [
        'Use a credential of a principal of another type.'
      ])
    case 'initiator_refused':
      return told(`${who(caller)} named an initiator (x-initiator). ${sentence(message)}`, [
        'Leave the header x-initiator out, or use the key of a service.'
      ])
    case 'confirmation_required':
      return told(`${who(caller)} signed in too long ago for what it asked for.`, [
        'Confirm in the console or by signing in anew who it is.'
      ])
    default:
      return told(sentence(message), [])
  }
}

function foreign({ owner }: Kept, what: string, caller: NonNullable<Kept['caller']>): Told {
  const { type, initiator } = caller
  const begins = `${who(caller)} asked for ${what}, which belongs to ${owner}.`
  switch (type) {
    case 'agent':
      return told(`${begins} An agent reaches itself, what it works with, and what it was granted.`, [
        'Grant it to the agent, where it can be granted.',
        `Use a credential of ${owner}.`
      ])
    case 'service':
      return told(
        `${begins} For ${initiator} the service changes what belongs to ${initiator}, and reads that and its own.`,
        [`Name ${owner} as the initiator (x-initiator), or none.`]
      )
    case 'user':
      return told(`${begins} A user reaches what it owns and what it was granted.`, [
        `Grant it to ${who(caller)}, where it can be granted.`,
        `Use a credential of ${owner}.`
      ])
  }
}

const told = (explanation: string, remedies: string[]): Told => ({ explanation, remedies })
const named = ({ what, id }: NonNullable<Kept['resource']>): string =>
  id === null ? `something of the kind ${what.toLowerCase()}` : `the ${what.toLowerCase()} ${id}`
const who = (caller: Kept['caller']): string => caller?.id ?? 'The caller'
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
const listed = (scopes: readonly string[]): string => (scopes.length === 0 ? 'no scope' : scopes.join(', '))
