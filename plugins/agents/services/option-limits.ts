import type { Principal } from 'agent-platform'
import { examineSchema, invalid } from 'agent-platform'
import type { AgentOptions } from '../options.ts'

const PROVIDER_CHARACTERS = 16_384
const SCHEMA_CHARACTERS = 65_536

/** 400 for options that the schema of a request cannot refuse: too large, or with an invalid JSON Schema. */
export async function checkOptions(by: Principal, options: AgentOptions | null | undefined): Promise<void> {
  if (!options) return
  const { providerOptions, responseFormat } = options
  if (providerOptions && JSON.stringify(providerOptions).length > PROVIDER_CHARACTERS)
    throw invalid(
      '/options/providerOptions',
      `/options/providerOptions must not be longer than ${PROVIDER_CHARACTERS} characters of JSON`
    )
  const schema = responseFormat?.schema
  if (!schema) return
  const param = '/options/responseFormat/schema'
  if (JSON.stringify(schema).length > SCHEMA_CHARACTERS)
    throw invalid(param, `${param} must not be longer than ${SCHEMA_CHARACTERS} characters of JSON`)
  if (schema.type !== 'object') throw invalid(`${param}/type`, `${param}/type must be "object"`)
  const fault = await examineSchema(by, schema)
  if (fault) throw invalid(param + fault.at, `${param}${fault.at} ${fault.text}`)
}
