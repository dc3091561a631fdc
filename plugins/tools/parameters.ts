import type { Principal, SchemaFault } from 'agent-platform'
import { examineSchema, invalid } from 'agent-platform'

const MAX_LENGTH = 65_536
const MAX_DEPTH = 64

/** 400 below `/parameters` for what is no JSON Schema of an object that arguments could be checked by. */
export async function checkParameters(by: Principal, parameters: object): Promise<void> {
  const fault = await faultOfParameters(by, parameters)
  if (fault) throw invalid(`/parameters${fault.at}`, `/parameters${fault.at} ${fault.text}`)
}

/** What is wrong with a schema of arguments, and where. */
export async function faultOfParameters(
  by: Pick<Principal, 'project' | 'owner'>,
  parameters: object,
  signal?: AbortSignal
): Promise<SchemaFault | undefined> {
  if (JSON.stringify(parameters).length > MAX_LENGTH)
    return { at: '', text: `must not be longer than ${MAX_LENGTH} characters` }
  if (isDeeper(parameters, MAX_DEPTH))
    return { at: '', text: `must not be nested more than ${MAX_DEPTH} levels deep` }
  if ((parameters as { type?: unknown }).type !== 'object') return { at: '/type', text: 'must be "object"' }
  return examineSchema(by, parameters, signal)
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1)))
