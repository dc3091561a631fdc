// The contract between the kernel and its packs, imported as `agent-platform` by packs inside and outside the repository
// alike: what a pack is (manifest.ts), what it is given (kernel.ts), what packs tell each other (declarations.ts), and what
// all of them would write again. docs/adr tells where and why it differs from the first sketch.
export type { FastifyReply as Reply, FastifyRequest as Request } from 'fastify'
export { createBatch } from '../database/batch.ts'
export type { Cache } from '../database/cache.ts'
export { isDatabaseAway } from '../database/connect.ts'
export { serviceAccount } from '../database/embedded/folder.ts'
export type { Fragment, Hot } from '../database/hot.ts'
export { single, textGiven } from '../database/hot.ts'
export { removeRows } from '../database/remove-rows.ts'
export type { Trx } from '../database/transaction.ts'
export { afterCommit, lockName } from '../database/transaction.ts'
export type { Sealing, Vault } from '../database/vault/vault.ts'
export type { Fact, FactDetails, Usage } from '../events/fact.ts'
export { sumUsage } from '../events/fact.ts'
export type { Claimed, ExecutionTable } from '../execution/execution-table.ts'
export { executionTable, isExhausted, takeOver } from '../execution/execution-table.ts'
export { grantAccess } from '../grants/grant-access.ts'
export type { GrantOf } from '../grants/grant-table.ts'
export { grantTable } from '../grants/grant-table.ts'
export { granting, grantRoutes } from '../grants/granting.ts'
export type { Subject } from '../grants/subjects.ts'
export { subjectOf } from '../grants/subjects.ts'
export type { Access, Asked } from '../http/access.ts'
export type { AuthorizationRequest, BrowserSecret } from '../http/authorization-requests.ts'
export {
  authorizationCookie,
  newAuthorizationRequest,
  stateInvalid,
  takeAuthorizationRequest
} from '../http/authorization-requests.ts'
export type { BasicCredentials } from '../http/basic-credentials.ts'
export { createBasicCredentials } from '../http/basic-credentials.ts'
export { closeWhenIdle } from '../http/bodies.ts'
export { cookieIn } from '../http/cookies.ts'
export { parseJson } from '../http/json-body.ts'
export { noticeHeaders, noticeOfFailure, noticePage } from '../http/notice-page.ts'
export { rangeOf } from '../http/ranges.ts'
export type { Delegation } from '../identity/attenuation/delegation.ts'
export { bothOf, delegated, delegationOf } from '../identity/attenuation/delegation.ts'
export type { ForTokens } from '../identity/attenuation/rights.ts'
export { mayCall, mayReach } from '../identity/attenuation/rights.ts'
export type { Credentials } from '../identity/credentials.ts'
export type { Envelope } from '../identity/envelope.ts'
export type { Asking, Owned, Principal, Verb } from '../identity/ownership.ts'
export { current, owned, reach, reachOwner } from '../identity/ownership.ts'
export type { OwnerRow } from '../identity/principals.ts'
export type { Project, ProjectKey, Projects } from '../identity/projects.ts'
export type { PackApi } from '../packs/info.ts'
export { isStreamLost } from '../streams/commit.ts'
export type { Chunk, EventInput, Publication, StreamEvent, Streams, View, Writer } from '../streams/log.ts'
export type { ArchivedFile, ArchiveLimits, OpenArchive } from '../untrusted/archives/archives.ts'
export { openArchive, readArchive } from '../untrusted/archives/archives.ts'
export { createPathCheck } from '../untrusted/archives/names.ts'
export { readCapped } from '../untrusted/capped.ts'
export { depthOf } from '../untrusted/depth.ts'
export type { ExpressionFault, ExpressionReference } from '../untrusted/expressions/expressions.ts'
export { evaluateTemplate, examineTemplate } from '../untrusted/expressions/expressions.ts'
export { readForm } from '../untrusted/forms.ts'
export { readHtml } from '../untrusted/html.ts'
export { hasMarks, markUntrusted } from '../untrusted/marks.ts'
export type { SchemaCheck, SchemaFault } from '../untrusted/schemas/json-schema.ts'
export { compileSchema, pointerToken } from '../untrusted/schemas/json-schema.ts'
export { examineSchema, examineValue } from '../untrusted/schemas/schemas.ts'
export { canBeOffline, isOffline } from '../untrusted/workers/network.ts'
export { createTurns } from '../untrusted/workers/turns.ts'
export type { LaneOptions, Loss, WorkerLane } from '../untrusted/workers/worker-lane.ts'
export { createWorkerLane } from '../untrusted/workers/worker-lane.ts'
export type { RunningWorker } from '../untrusted/workers/worker-start.ts'
export { processOf, threadOf } from '../untrusted/workers/worker-start.ts'
export { readYaml, YAML_CHARACTERS } from '../untrusted/yaml.ts'
export { unlessAborted } from './aborted.ts'
export type { App } from './app.ts'
export { closed } from './caller.ts'
export * from './declarations.ts'
export {
  conflict,
  exhausted,
  failureTypes,
  forbidden,
  gone,
  insufficientStorage,
  invalid,
  notFound,
  paymentRequired,
  preconditionFailed,
  rateLimited,
  tooLarge,
  unauthenticated,
  unavailable,
  unsupportedMedia,
  upstreamFailed,
  upstreamTimeout
} from './errors.ts'
export type { Execution, ExecutionRow, Executions, Held, Orphan } from './execution.ts'
export { firstIdAt, newId, timeOfId, typeOfId, uuidOfId } from './ids.ts'
export { canonicalJson, digestOf } from './json.ts'
export type { Contribution, Kernel, Recorded } from './kernel.ts'
export type { Deps, Open, Pack, RemoveSome } from './manifest.ts'
export { definePack } from './manifest.ts'
export { hasTurnTime, nextTurn, pace } from './pace.ts'
export type { PageOf } from './paging.ts'
export { pageOf, paginate } from './paging.ts'
export { recordedEdits, resourceRoutes } from './resource.ts'
export {
  Changes,
  Closed,
  Data,
  Deleted,
  ifMatch,
  Name,
  OrNull,
  Page,
  Paging,
  Replacement,
  Searching,
  Time,
  Used
} from './schemas.ts'
export type { NewRow, Row, Table } from './table.ts'
export { table } from './table.ts'
export { bytesOfBase64, trimEndOf, trimOf, withoutFence } from './text.ts'
export { isTimeOver, timeBoxed } from './time-box.ts'
export { currentTrace, readTraceparent, spanIdOf, traced, traceIdOf } from './trace.ts'
