export type { components, paths } from './api.ts'
export type { Client, ClientOptions } from './client.ts'
export { createClient } from './client.ts'
export type { ErrorType } from './errors.ts'
export { ApiError, ConnectionError, StreamError } from './errors.ts'
export type { BodyOfReply, CallOptions, Init, ItemOf, ListPaths, Method, PathsWith } from './operations.ts'
export type { RunStream } from './run-stream.ts'
export type { FollowOptions, RunOptions, Runs, ToolResult, WaitOptions } from './runs.ts'
export type {
  Agent,
  ApprovalDecision,
  ElicitationAnswer,
  PendingCall,
  PendingQuestion,
  Run,
  RunEvent,
  RunRequest,
  Schemas,
  Session
} from './schemas.ts'
