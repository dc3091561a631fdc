import type { components } from './api.ts'

/** The named schemas of the OpenAPI document. */
export type Schemas = components['schemas']

export type Agent = Schemas['Agent']
export type PendingCall = Schemas['PendingCall']
export type PendingQuestion = Schemas['PendingQuestion']
export type ApprovalDecision = Schemas['ApprovalDecision']
export type ElicitationAnswer = Schemas['ElicitationAnswer']
export type Run = Schemas['Run']
export type RunRequest = Schemas['RunRequest']
export type Session = Schemas['Session']
export type Task = Schemas['Task']
export type TaskRun = Schemas['TaskRun']
export type Workflow = Schemas['Workflow']
export type Execution = Schemas['Execution']

/** What the runtime of an agent is asked: a step of a run. */
export type RuntimeTurn = Schemas['RuntimeTurn']

/** An event of a run, told apart by `type`. Types that this version does not know come as they are. */
export type RunEvent = Schemas['RunEvent']
/** An event of a run of a task, likewise. */
export type TaskEvent = Exclude<Schemas['TaskEvent'], { type: 'keepalive' }>
/** An event of an execution of a workflow, likewise. */
export type ExecutionEvent = Schemas['ExecutionEvent']
/** An event of a space, likewise. */
export type SpaceEvent = Exclude<Schemas['SpaceEvent'], { type: 'keepalive' }>
