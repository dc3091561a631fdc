export interface CardSkill {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
}

interface About {
  readonly name: string
  readonly description: string | null
  readonly version: string
  /** Of its JSON-RPC endpoint. */
  readonly url: string
  readonly platform: { readonly baseUrl: string }
  readonly skills: readonly CardSkill[]
}

/** What is read and what is written: text, files and JSON. */
const modes = ['text/plain', 'application/json', 'application/octet-stream']

/** What a client of 1.0 reads, and what is signed. */
const namesOfToday = [
  'name',
  'description',
  'supportedInterfaces',
  'provider',
  'version',
  'capabilities',
  'securitySchemes',
  'securityRequirements',
  'defaultInputModes',
  'defaultOutputModes',
  'skills'
] as const

/** A card that clients of every version of the protocol read: the fields of one are unknown to the others. */
export function cardOf({ name, description, version, url, platform, skills }: About) {
  const about = description ?? `The agent ${name}`
  const talk = { id: 'conversation', name: 'Conversation', description: about, tags: ['conversation'] }
  return {
    name,
    description: about,
    version,
    supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) => ({
      url,
      protocolBinding: 'JSONRPC',
      protocolVersion
    })),
    provider: { organization: 'Agent Platform', url: platform.baseUrl },
    capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: false },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', httpAuthSecurityScheme: { scheme: 'bearer' } }
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: modes,
    defaultOutputModes: modes,
    skills: skills.length > 0 ? skills : [talk],
    // 0.3
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [{ url, transport: 'JSONRPC' }],
    security: [{ bearer: [] }],
    supportsAuthenticatedExtendedCard: false,
    // 0.2
    authentication: { schemes: ['bearer'] }
  }
}

/** As 1.0 has a card signed: its own fields alone, and of these none that is empty. */
export function signedPart(card: ReturnType<typeof cardOf>): unknown {
  const { capabilities, ...rest } = Object.fromEntries(namesOfToday.map((name) => [name, card[name]]))
  const { streaming, pushNotifications } = capabilities as typeof card.capabilities
  const securitySchemes = { bearer: { httpAuthSecurityScheme: { scheme: 'bearer' } } }
  return withoutEmpty({ ...rest, capabilities: { streaming, pushNotifications }, securitySchemes })
}

function withoutEmpty(value: unknown): unknown {
  if (value === '' || value === null) return undefined
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty).filter((item) => item !== undefined)
    return items.length > 0 ? items : undefined
  }
  const fields = Object.entries(value as object).map(([name, item]) => [name, withoutEmpty(item)] as const)
  const kept = fields.filter(([, item]) => item !== undefined)
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}
