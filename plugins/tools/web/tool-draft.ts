import type { FormSchema } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import type { Tool } from './queries.ts'

/** What is entered of a tool of kind `http`: it and its request, side by side. */
export type ToolDraft = Readonly<Record<string, unknown>>

const own: Readonly<Record<string, FormSchema>> = {
  name: {
    type: 'string',
    title: 'Name',
    description: 'Letters, digits, _ and -',
    examples: ['get_weather'],
    maxLength: 64
  },
  description: {
    type: 'string',
    title: 'Description',
    description: 'What the model is told that it does.',
    maxLength: 10_000
  },
  parameters: {
    type: 'object',
    title: 'Parameters',
    description: 'JSON Schema of the arguments.',
    examples: [{ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }]
  }
}
const request: Readonly<Record<string, FormSchema>> = {
  method: { type: 'string', title: 'Method', enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  url: {
    type: 'string',
    title: 'Address',
    description: '{{name}} stands for an argument.',
    examples: ['https://api.example.com/weather/{{city}}']
  },
  query: { type: 'object', title: 'Query', description: 'By name.', examples: [{ units: 'metric' }] },
  headers: {
    type: 'object',
    title: 'Headers',
    description: 'By name. A credential is no header: it is added under Credentials, once there is the tool.',
    examples: [{ accept: 'application/json' }]
  },
  body: { title: 'Body', description: 'JSON.', examples: [{ city: '{{city}}' }] },
  timeoutSeconds: { type: 'integer', title: 'Time limit in seconds', minimum: 1, maximum: 600 },
  response: { type: 'object', title: 'Part of the reply', examples: [{ pointer: '/data' }] }
}
const idempotent: FormSchema = {
  type: 'boolean',
  title: 'Idempotent',
  description: 'It may be called again where the outcome of a call is unknown.'
}

export const toolForm: FormSchema = {
  properties: { ...own, ...request, idempotent },
  required: ['name', 'description', 'method', 'url']
}
/** Of tools of other kinds the request is JSON. */
export const otherForm: FormSchema = {
  properties: { ...own, config: { type: 'object', title: 'Configuration' }, idempotent },
  required: ['name', 'description']
}

export const draftOf = ({ kind, name, description, parameters, config, idempotent }: Tool): ToolDraft => ({
  name,
  description,
  parameters,
  idempotent,
  ...(kind === 'http' ? config : { config })
})

export function toolOf(draft: ToolDraft, kind = 'http'): Schemas['NewTool'] {
  const { name, description, parameters, idempotent = false, config, ...rest } = draft
  return {
    name: String(name ?? ''),
    description: String(description ?? ''),
    ...(parameters !== undefined && { parameters: parameters as Record<string, unknown> }),
    config: kind === 'http' ? rest : (config as Record<string, unknown>),
    idempotent: Boolean(idempotent)
  }
}
