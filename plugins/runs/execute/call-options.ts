import type { JSONObject, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Agent } from '../../agents/contract.ts'
import type { Model } from '../../models/contract.ts'
import type { RunOptions } from '../schemas/options.ts'
import type { RunSettings } from '../settings.ts'
import type { Kept } from '../stores/row.ts'
import { RunFailure } from './failures.ts'
import type { Live } from './live-runs.ts'
import { samplingOf } from './sampling.ts'

type Call = LanguageModelV4CallOptions
type Offered = NonNullable<Call['tools']>

/** Options of a run: each is the caller's, else the agent's. */
const chosenOf = ({ run, profile }: Pick<Live, 'run' | 'profile'>): RunOptions => ({
  ...profile.agent.options,
  ...run.request.sampling
})

/** How the model is asked for the next reply of a run, beside its prompt. */
export function callOptionsOf(live: Live, model: Model, offered: Offered): Partial<Call> {
  const { temperature, maxTokens } = samplingOf(live.profile.agent, live.run.request.sampling)
  const { topP, stop, seed, reasoning, reasoningTokens, toolChoice, ...chosen } = chosenOf(live)
  const providerOptions = providerOptionsOf(model, chosen, reasoningTokens)
  return {
    ...(temperature !== null && { temperature }),
    ...(maxTokens !== null && { maxOutputTokens: maxTokens }),
    ...(topP !== undefined && { topP }),
    ...(stop?.length && { stopSequences: stop }),
    ...(seed !== undefined && { seed }),
    ...(reasoning !== undefined && reasoningTokens === undefined && { reasoning }),
    ...formatOf(live.run.request),
    ...(offered.length > 0 && { tools: offered }),
    ...toolChoiceOf(live, toolChoice, offered),
    ...(providerOptions && { providerOptions })
  }
}

function providerOptionsOf(
  { modelProvider, vendorOptions }: Model,
  { parallelToolCalls, providerOptions }: RunOptions,
  reasoningTokens: number | undefined
): Call['providerOptions'] {
  const made = vendorOptions?.({
    ...(parallelToolCalls !== undefined && { parallelToolCalls }),
    ...(reasoningTokens !== undefined && { reasoningTokens })
  })
  // Those of other vendors are none of this one's business.
  const own = providerOptions?.[modelProvider] as JSONObject | undefined
  return made || own ? { [modelProvider]: { ...made, ...own } } : undefined
}

/** Options of both, by provider; those of the second one count. */
export function joinedOptions(
  one: Call['providerOptions'] = {},
  other: Call['providerOptions'] = {}
): NonNullable<Call['providerOptions']> {
  const all = { ...one }
  for (const [provider, options] of Object.entries(other)) all[provider] = { ...all[provider], ...options }
  return all
}

/** A choice that forces a call applies until there was one: of a tool of the caller's, if the caller brought any. */
function toolChoiceOf(
  { run, steps }: Live,
  choice: RunOptions['toolChoice'] = 'auto',
  offered: Offered
): Pick<Call, 'toolChoice'> {
  const callers = new Set(run.request.cliTools?.map(({ name }) => name))
  const isForced = choice !== 'auto' && choice !== 'none'
  const isDone = steps.some(({ calls }) =>
    calls.some(({ toolName }) => callers.size === 0 || callers.has(toolName))
  )
  if (isForced && isDone) return offered.length > 0 ? { toolChoice: { type: 'auto' } } : {}
  if (typeof choice === 'object') {
    if (!offered.some(({ name }) => name === choice.tool))
      throw new RunFailure('invalid', 'tool_not_found', `toolChoice: tool ${choice.tool} not found`)
    return { toolChoice: { type: 'tool', toolName: choice.tool } }
  }
  if (choice === 'required' && offered.length === 0)
    throw new RunFailure('invalid', 'tool_not_found', 'toolChoice is "required", but the agent has no tools')
  return offered.length > 0 ? { toolChoice: { type: choice } } : {}
}

/** Most providers take the schema of an object alone; what the prompt says of any other has to do. */
function formatOf({ answerSchema: schema }: Kept): Pick<Call, 'responseFormat'> {
  if (schema === undefined || !('type' in schema) || schema.type !== 'object') return {}
  // Any object: providers have a format of its own for that.
  return { responseFormat: { type: 'json', ...(Object.keys(schema).length > 1 && { schema }) } }
}

/** Limits of a run: those of the platform, of its agent and of its caller all apply. */
export function limitsOf(
  {
    run,
    profile
  }: { readonly run: Live['run']; readonly profile: { readonly agent: Pick<Agent, 'options'> } },
  { maxSteps, runSeconds }: Pick<RunSettings, 'maxSteps' | 'runSeconds'>
) {
  const [own, asked] = [profile.agent.options ?? {}, run.request.sampling ?? {}]
  const least = (...values: readonly (number | undefined)[]) =>
    Math.min(...values.filter((value) => value !== undefined))
  return {
    maxSteps: least(maxSteps, own.maxSteps, asked.maxSteps),
    seconds: least(runSeconds, own.maxSeconds, asked.maxSeconds)
  }
}
