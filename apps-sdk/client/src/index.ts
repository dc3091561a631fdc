export type { components, paths } from './api.ts'
export type { Client, ClientOptions } from './client.ts'
export { createClient } from './client.ts'
export type { ErrorType } from './errors.ts'
export { ApiError, ConnectionError, StreamError } from './errors.ts'
export type { EventStream } from './event-stream.ts'
export type { Executions, FollowTaskOptions, Spaces, Tasks } from './following.ts'
export type { IdentitySession, RefreshedSession } from './identity.ts'
export type { BodyOfReply, CallOptions, Init, ItemOf, ListPaths, Method, PathsWith } from './operations.ts'
export type { FollowOptions, RunOptions, RunStream, Runs, ToolResult, WaitOptions } from './runs.ts'
export type { Runtimes, Say, ServeOptions, TurnUsage } from './runtimes.ts'
export type {
  Agent,
  ApprovalDecision,
  ElicitationAnswer,
  Execution,
  ExecutionEvent,
  PendingCall,
  PendingQuestion,
  Run,
  RunEvent,
  RunRequest,
  RuntimeTurn,
  Schemas,
  Session,
  SpaceEvent,
  Task,
  TaskEvent,
  TaskRun,
  Workflow
} from './schemas.ts'
export type { InspectedToken, Restrictions } from './tokens.ts'
export { inspect, narrow, seal } from './tokens.ts'
