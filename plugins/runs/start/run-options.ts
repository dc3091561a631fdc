import type { Principal } from 'agent-platform'
import { examineSchema, forbidden, invalid } from 'agent-platform'
import type { AgentOptions } from '../../agents/contract.ts'
import type { RunOptions } from '../schemas/options.ts'
import type { Asked } from './asked.ts'

const PROVIDER_CHARACTERS = 16_384
const SCHEMA_CHARACTERS = 65_536

const DEFAULT_REFUSED: ReadonlySet<string> = new Set(['providerOptions'])

/** 403 for options that the agent does not let callers set, 400 for what the schema of a request cannot refuse. */
export async function checkRunOptions(
  by: Principal,
  { options = {} }: Asked,
  agent: { readonly options: AgentOptions | null }
): Promise<void> {
  const allowed = agent.options?.callerOptions
  for (const name of Object.keys(options)) {
    const isAllowed = allowed ? allowed.some((it) => it === name) : !DEFAULT_REFUSED.has(name)
    if (!isAllowed)
      throw forbidden(`The agent does not let callers set ${name}. Its owner can add it to callerOptions.`, {
        param: `/options/${name}`,
        code: 'option_not_allowed'
      })
  }
  const { providerOptions, responseFormat } = options
  if (providerOptions && JSON.stringify(providerOptions).length > PROVIDER_CHARACTERS)
    throw invalid(
      '/options/providerOptions',
      `/options/providerOptions must not be longer than ${PROVIDER_CHARACTERS} characters of JSON`
    )
  await checkFormat(by, responseFormat?.schema)
}

async function checkFormat(by: Principal, schema: object | undefined): Promise<void> {
  if (!schema) return
  const param = '/options/responseFormat/schema'
  if (JSON.stringify(schema).length > SCHEMA_CHARACTERS)
    throw invalid(param, `${param} must not be longer than ${SCHEMA_CHARACTERS} characters of JSON`)
  if (!('type' in schema) || schema.type !== 'object')
    throw invalid(`${param}/type`, `${param}/type must be "object"`)
  const fault = await examineSchema(by, schema)
  if (fault) throw invalid(param + fault.at, `${param}${fault.at} ${fault.text}`)
}

/** The format of the answer that the run is recorded with: its order's own, else its caller's, else its agent's. */
export function formatOf(
  { answerSchema, options }: { readonly answerSchema?: object; readonly options?: RunOptions },
  agent: { readonly options: AgentOptions | null }
): { readonly answerSchema?: object; readonly isRepaired?: true } {
  if (answerSchema) return { answerSchema }
  const format = options?.responseFormat ?? agent.options?.responseFormat
  return format?.type === 'json'
    ? { answerSchema: format.schema ?? { type: 'object' }, isRepaired: true }
    : {}
}
