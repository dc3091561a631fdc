import { invalid } from 'agent-platform'
import type { RunOptions } from '../../runs/contract.ts'
import type { Names } from './failures.ts'
import type { ToolChoice } from './tool-choice.ts'

/** What clients say of how the model is asked, in either protocol. */
export interface AskedOptions extends Pick<ToolChoice, 'toolChoice'> {
  readonly temperature?: number | null | undefined
  readonly top_p?: number | null | undefined
  readonly maxTokens?: number | null | undefined
  readonly seed?: number | null | undefined
  readonly stop?: unknown
  readonly effort?: unknown
  readonly effortParam: string
  readonly parallel_tool_calls?: boolean | null | undefined
}

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
const MOST_STOPS = 4
const STOP_CHARACTERS = 200

/** Those of a run; undefined where nothing is asked for. */
export function readOptions(asked: AskedOptions): RunOptions | undefined {
  const { temperature, top_p, maxTokens, seed, toolChoice, parallel_tool_calls } = asked
  const stop = readStop(asked.stop)
  const reasoning = readEffort(asked.effort, asked.effortParam)
  const options: RunOptions = {
    ...(temperature != null && { temperature }),
    ...(top_p != null && { topP: top_p }),
    ...(maxTokens != null && { maxTokens }),
    ...(seed != null && { seed }),
    ...(stop.length > 0 && { stop }),
    ...(reasoning && { reasoning }),
    ...(toolChoice && { toolChoice }),
    ...(parallel_tool_calls != null && { parallelToolCalls: parallel_tool_calls })
  }
  return Object.keys(options).length > 0 ? options : undefined
}

function readStop(stop: unknown): string[] {
  if (stop === undefined || stop === null) return []
  const all: unknown[] = Array.isArray(stop) ? stop : [stop]
  const isRight = (it: unknown): it is string =>
    typeof it === 'string' && it !== '' && it.length <= STOP_CHARACTERS
  if (all.length > MOST_STOPS || !all.every(isRight))
    throw invalid(
      '/stop',
      `/stop must be a string or an array of at most ${MOST_STOPS} strings of 1 to ${STOP_CHARACTERS} characters`
    )
  return all
}

function readEffort(effort: unknown, param: string): RunOptions['reasoning'] {
  if (effort === undefined || effort === null) return undefined
  const found = efforts.find((it) => it === effort)
  if (!found) throw invalid(param, `${param} must be one of ${efforts.join(', ')}`)
  return found
}

/** How options of a run are called in both protocols. */
export const optionNames: Names = [
  [/^\/options\/temperature/, '/temperature'],
  [/^\/options\/topP/, '/top_p'],
  [/^\/options\/seed/, '/seed'],
  [/^\/options\/stop/, '/stop'],
  [/^\/options\/toolChoice/, '/tool_choice'],
  [/^\/options\/parallelToolCalls/, '/parallel_tool_calls']
]
