import { LRUCache } from 'lru-cache'
import type { LengthRejection, Model } from '../../models/contract.ts'
import type { RunSettings } from '../settings.ts'
import type { Budget, Learned } from './context-budget.ts'
import { budgetFor } from './context-budget.ts'
import { originOf } from './reply-origin.ts'

export type ContextLimits = ReturnType<typeof createContextLimits>

/** For which session a prompt is made. */
interface Place {
  readonly project: string
  readonly sessionId: string
}

const MODELS = 2_000
const SESSIONS = 10_000
/** A server may be started with another window. */
const KEEP_MS = 3_600_000
/** What a provider reports outside of these is not the size of the prompt. */
const PLAUSIBLE = [0.4, 4] as const
/** Below this the fixed parts of a request weigh too much. */
const LEAST = 200
/** Fewer tokens than estimated are believed up to here. */
const LOWEST = 0.7
const STEADY = 0.7
/** After a rejection a prompt has at most this share of the one that was refused. */
const NEXT_SHARE = 0.8
const UNKNOWN_SHARE = 0.5
/** No window is as small: what was refused is something else. */
const LEAST_WINDOW = 512

/** What providers have shown of the windows of their models, and of their way to count tokens; in this process, for an hour. */
export function createContextLimits({ settings }: { settings: RunSettings }) {
  const models = new LRUCache<string, Learned>({ max: MODELS, ttl: KEEP_MS })
  const ratios = new LRUCache<string, number>({ max: SESSIONS, ttl: KEEP_MS })

  const modelKey = ({ project }: Place, model: Model) => `${project}\n${originOf(model)}`
  const sessionKey = ({ sessionId }: Place, model: Model) => `${sessionId}\n${originOf(model)}`

  function learned(place: Place, model: Model): Learned {
    const known = models.get(modelKey(place, model))
    return { ...known, ratio: ratios.get(sessionKey(place, model)) ?? known?.ratio ?? 1 }
  }

  return {
    /** Of the next prompt of a session. */
    budget: (place: Place, model: Model, maxTokens: number | null): Budget =>
      budgetFor(settings, model, maxTokens, learned(place, model)),

    /** What a provider reported of a prompt with so many estimated tokens. */
    calibrate(place: Place, model: Model, estimated: number, reported: number): void {
      const ratio = reported / estimated
      if (estimated < LEAST || !(ratio >= PLAUSIBLE[0] && ratio <= PLAUSIBLE[1])) return
      const careful = Math.max(ratio, LOWEST)
      ratios.set(sessionKey(place, model), careful)
      const key = modelKey(place, model)
      const known = models.get(key)
      const steady = known ? known.ratio * STEADY + careful * (1 - STEADY) : careful
      models.set(key, { ...known, ratio: steady }, known ? { ttl: models.getRemainingTTL(key) } : {})
    },

    /**
     * A prompt with so many estimated tokens was refused for its length: the next ones of that model are shorter. False where it is
     * so short that its length cannot be the reason.
     */
    rejected(
      place: Place,
      model: Model,
      maxTokens: number | null,
      estimated: number,
      { contextTokens: window, promptTokens }: LengthRejection
    ): boolean {
      if (estimated < LEAST_WINDOW) return false
      const key = modelKey(place, model)
      const { most, ...known } = models.get(key) ?? { ratio: 1 }
      const told = promptTokens === undefined ? known.ratio : promptTokens / estimated
      const ratio = Math.min(Math.max(told, known.ratio), PLAUSIBLE[1])
      const next: Learned = { ...known, ratio, ...(window !== undefined && { window }) }
      const { tokens } = budgetFor(settings, model, maxTokens, next)
      // Numbers that would change nothing are about something else.
      const isEnough = window !== undefined && tokens <= estimated * NEXT_SHARE
      models.set(key, {
        ...(isEnough ? next : known),
        ...(!isEnough && { most: Math.min(most ?? estimated, estimated) * UNKNOWN_SHARE }),
        ...(isEnough && most !== undefined && { most })
      })
      ratios.delete(sessionKey(place, model))
      return true
    }
  }
}
