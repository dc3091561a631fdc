import type { Schema } from './route.ts'

/** The part of a typed identifier that follows the type. */
const SUFFIX = '01k4qz0000e0080000000000ab'

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T09:30:00.000Z',
  date: '2026-01-15',
  time: '09:30:00Z',
  duration: 'PT15M',
  email: 'ada@example.com',
  uri: 'https://example.com',
  url: 'https://example.com',
  'uri-reference': '/example',
  uuid: '01992ff0-0000-7000-8000-00000000000b',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'ZXhhbXBsZQ==',
  binary: ''
}
const byName: Readonly<Record<string, string>> = {
  name: 'Ada',
  title: 'Ship the beta',
  description: 'What it is about, in a sentence',
  content: 'Hello',
  text: 'Hello',
  message: 'Hello',
  instructions: 'You are a helpful assistant.',
  email: 'ada@example.com',
  url: 'https://example.com',
  owner: `user_${SUFFIX}`,
  initiator: `user_${SUFFIX}`,
  timezone: 'Europe/Berlin',
  cron: '0 9 * * 1',
  slug: 'example',
  currency: 'USD',
  modelProvider: 'openai',
  modelId: 'gpt-4.1-mini'
}
/** Tried in turn where a pattern refuses what the name suggests. */
const others = ['example', 'example-1', 'Example', 'a', 'A', '1', '0.01', '0x00', 'https://example.com', '/']

/** A plausible text: by format, else by name; undefined where none is known that fits. */
export function exampleText(schema: Schema, name: string, owner: string): string | undefined {
  const { format } = schema
  if (typeof format === 'string' && format in byFormat) return byFormat[format]
  const fits = fitting(schema)
  return [byName[name] ?? identifier(name, owner) ?? 'example', ...others].map(sized(schema)).find(fits)
}

function identifier(name: string, owner: string): string | undefined {
  if (name === 'id') return `${snake(owner) || 'id'}_${SUFFIX}`
  if (name.endsWith('Id')) return `${snake(name.slice(0, -2))}_${SUFFIX}`
  return undefined
}

const snake = (text: string): string =>
  text
    .replace(/[^A-Za-z]+/g, '_')
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()

const sized =
  ({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema) =>
  (text: string): string =>
    text.padEnd(Number(minLength), text || 'x').slice(0, Number(maxLength))

function fitting({ pattern }: Schema): (text: string) => boolean {
  if (typeof pattern !== 'string') return () => true
  const expression = new RegExp(pattern, 'u')
  return (text) => expression.test(text)
}
