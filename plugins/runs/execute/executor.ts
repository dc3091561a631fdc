import type { Model } from '../../models/contract.ts'
import type { RunInfo } from '../gates.ts'

/**
 * Has the runs of some agents answered by something that is no model, a step at a time: everything else, such as tools, approvals,
 * what goes on after a crash and what it costs, is as in any run.
 */
export interface Executor {
  /**
   * What is asked in place of the agent's model, under the name that usage and prices go by; undefined for an agent that it does
   * not execute. Asked at the start of each run and before each step: answers from memory as a rule.
   */
  model(run: RunInfo, at: ExecutedStep): Promise<Model | undefined>
}

/** Which step of a run is to be answered. */
export interface ExecutedStep {
  /** From 1. */
  readonly step: number
  /** Of the run: another process goes on with it under the next one. */
  readonly attempt: number
}
