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

/** An event of a run, told apart by `type`. Types that this version does not know come as they are. */
export type RunEvent = Schemas['RunEvent']
