import type { Static } from 'typebox'
import { Type } from 'typebox'
import { isHostWithin } from '../manifest/hosts.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { Grants } from './schema.ts'

/** One thing that a person has to agree to, in plain words. */
export const ConsentItem = Type.Object(
  {
    kind: Type.Enum(['capability', 'host', 'connection', 'storage', 'tool'], {
      description: 'Capabilities and hosts are granted; to the others one agrees by enabling the version'
    }),
    name: Type.String({
      description: 'Of the capability, the host, the connection, the collection or the function'
    }),
    risk: Type.Enum(['low', 'medium', 'high']),
    text: Type.String({ description: 'What the app could newly do, in plain words' }),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'What the app says it is for' }),
    isNew: Type.Boolean({ description: 'Whether the version that is enabled does not ask for it' })
  },
  { title: 'AppConsentItem' }
)
export type ConsentItem = Static<typeof ConsentItem>

/** What a catalogue says of a capability. */
export interface CapabilityNotice {
  readonly risk: ConsentItem['risk']
  /** In plain words: "Reads the agents that you can read". */
  readonly reaches: string
}

interface Current {
  readonly manifest: Manifest
  readonly grants: Grants
}

/**
 * What a version asks for and may not do yet: everything where none is enabled; else what its grants do not give, and
 * what the version that is enabled does not have. An update without an item that `isNew` asks for no more than before.
 */
export function difference(
  current: Current | undefined,
  next: Manifest,
  noticeOf: (capability: string) => CapabilityNotice | undefined = () => undefined
): readonly ConsentItem[] {
  const before = current?.manifest
  const granted = current?.grants
  return [
    ...next.capabilities
      .filter(({ name }) => !granted?.capabilities.some((it) => it.name === name))
      .map(({ name, reason }): ConsentItem => {
        const notice = noticeOf(name) ?? {
          risk: 'high' as const,
          reaches: `Calls ${name}, which nothing on this platform offers now`
        }
        const isNew = !before?.capabilities.some((it) => it.name === name)
        return { kind: 'capability', name, risk: notice.risk, text: notice.reaches, reason, isNew }
      }),
    ...next.egress
      .filter(({ host }) => !granted?.hosts.some((it) => isHostWithin(host, it)))
      .map(({ host, reason }) =>
        hostItem(host, reason, !before?.egress.some((it) => isHostWithin(host, it.host)))
      )
      // The whole was asked for and a part of it was granted: nothing to be asked again.
      .filter(({ name, isNew }) => isNew || !granted?.hosts.some((it) => isHostWithin(it, name))),
    ...next.connections.flatMap((connection) => connectionItem(connection, before)),
    ...storageItem(next, before),
    ...sharedItems(next, before),
    ...next.functions
      .filter(({ tool }) => tool)
      .filter(({ name }) => !before?.functions.some((it) => it.name === name && it.tool))
      .map(({ name, title, description }): ConsentItem => {
        const text = `Offers ${quoted(title ?? name)} to agents and workflows as a tool`
        return { kind: 'tool', name, risk: 'medium', text, reason: description, isNew: true }
      })
  ]
}

function hostItem(host: string, reason: string, isNew: boolean): ConsentItem {
  const isWildcard = host.startsWith('*.')
  const text = isWildcard
    ? `Sends data to every host below ${host.slice(2)}, and reads what they answer`
    : `Sends data to ${host}, and reads what it answers`
  return { kind: 'host', name: host, risk: isWildcard ? 'high' : 'medium', text, reason, isNew }
}

type Connection = Manifest['connections'][number]

/** A key that was saved for one host is not to be sent to another one, or in another way, unasked. */
function connectionItem(connection: Connection, before: Manifest | undefined): readonly ConsentItem[] {
  const { key, name, hosts, auth, oauth, description = null } = connection
  const known = before?.connections.find((it) => it.key === key)
  const isSame =
    known !== undefined &&
    known.auth.type === auth.type &&
    known.auth.name === auth.name &&
    isNoMore(oauth, known.oauth) &&
    hosts.every((host) => known.hosts.some((it) => isHostWithin(host, it)))
  if (isSame) return []
  const way = auth.type === 'query' ? ', in the address of each call' : ''
  const stands = oauth ? `; your connection to ${oauth.provider} may stand for it${allowedTo(oauth)}` : ''
  const text = `Sends the key of ${quoted(name)}, once one is saved, to ${hosts.join(', ')}${way}${stands}`
  return [{ kind: 'connection', name: key, risk: 'medium', text, reason: description, isNew: true }]
}

type OAuth = NonNullable<Connection['oauth']>
const allowedTo = ({ scopes }: OAuth) => (scopes.length > 0 ? `, if it was allowed ${scopes.join(', ')}` : '')
const isNoMore = (next: OAuth | undefined, known: OAuth | undefined): boolean =>
  !next || (next.provider === known?.provider && next.scopes.every((it) => known.scopes.includes(it)))

function storageItem({ storage }: Manifest, before: Manifest | undefined): readonly ConsentItem[] {
  if (!storage) return []
  const known = before?.storage
  // Without a number it is as much as the platform gives.
  const isMore = !known || (storage.quotaBytes ?? Infinity) > (known.quotaBytes ?? Infinity)
  if (!isMore) return []
  const most =
    storage.quotaBytes === undefined ? '' : `, at most ${storage.quotaBytes.toLocaleString('en')} bytes`
  const text = `Keeps data of its own${most}`
  return [{ kind: 'storage', name: 'storage', risk: 'low', text, reason: null, isNew: true }]
}

/** What an update lets all who use the app see, and they did not see before: under whatever name, documents or values by key. */
function sharedItems({ storage }: Manifest, before: Manifest | undefined): readonly ConsentItem[] {
  if (!before) return []
  const known = before.storage?.collections ?? []
  const item = (name: string, what: string, wasOwn = false): ConsentItem => {
    const own = wasOwn ? "; until now it was each writer's own" : ''
    const text = `Shows ${what} from now on to all who use the app, and lets them change it${own}`
    return { kind: 'storage', name, risk: 'medium', text, reason: null, isNew: true }
  }
  const collections = (storage?.collections ?? [])
    .filter(
      ({ name, scope }) => scope === 'app' && !known.some((it) => it.name === name && it.scope === 'app')
    )
    .map(({ name }) =>
      item(
        name,
        `what is written to ${quoted(name)}`,
        known.some((it) => it.name === name)
      )
    )
  const isNewlyShared = storage?.keyValue === 'app' && before.storage?.keyValue !== 'app'
  return isNewlyShared ? [...collections, item('keyValue', 'what it keeps as shared values')] : collections
}

/** The author's words within the platform's: they cannot end the quotation, and go on as if it were the platform that speaks. */
const quoted = (words: string): string => `“${words.replaceAll(/["“”„‟«»＂]/g, "'")}”`
