/** Which rows of the specification a pack serves, as soon as there is a folder of that name. */
export const homes: Readonly<Record<string, readonly RegExp[]>> = {
  access: [/^\/v1\/auth\//],
  agents: [
    /^\/v1\/agents(\/:agentId)?$/,
    /^\/v1\/agents\/(:agentId\/)?(knowledgebase|preferred-connections)/
  ],
  compute: [/^\/v1\/compute\//],
  goals: [/^\/v1\/goals/],
  models: [/^\/v1\/models$/],
  runs: [/^\/v1\/agents\/(run|runs|cli-tool-result)(\/|$)/],
  sessions: [/^\/v1\/(agents\/)?sessions(\/|$)/]
}

/**
 * What the packs of this repository mount beside the specification, and why. A pack that is named neither above nor
 * by a route here is somebody's own: it may mount what it likes below a path that the specification does not use.
 */
export const additions: Readonly<Record<string, string>> = {
  'GET /.well-known/jwks.json': 'public keys of the principal envelope, for internal services',
  'DELETE /v1/agents/:agentId': 'what can be created can be deleted',
  'GET /v1/agents/runs/:runId': 'a run that was left can be looked at',
  'GET /v1/agents/runs/:runId/stream': 'EventSource knows nothing but GET',
  'POST /v1/agents/runs/:runId/cancel': 'what was begun can be stopped',
  'GET /v1/models/providers': 'what a project has configured',
  'GET /v1/models/providers/:provider': 'what a project has configured',
  'PUT /v1/models/providers/:provider': 'a project brings its own keys and base addresses',
  'DELETE /v1/models/providers/:provider': 'what was configured goes back to the deployment’s',
  'POST /v1/compute/*': 'forwarding in all methods',
  'PUT /v1/compute/*': 'forwarding in all methods',
  'PATCH /v1/compute/*': 'forwarding in all methods',
  'DELETE /v1/compute/*': 'forwarding in all methods',
  'HEAD /v1/compute/*': 'forwarding in all methods',
  'OPTIONS /v1/compute/*': 'forwarding in all methods',
  'GET /openapi.json': 'the description of the API, outside production',
  'GET /docs': 'the API reference to read and to try out, outside production',
  'GET /docs/assets/:file': 'the script of that page, which works offline',
  'GET /metrics': 'readings for Prometheus',
  'GET /v1/packs': 'the operator’s view of the packs',
  'GET /v1/packs/changes': 'what changed, and what that cost',
  'GET /v1/packs/:name': 'the operator’s view of a pack',
  'PUT /v1/packs/:name': 'a pack is enabled, disabled and configured while the platform serves',
  'DELETE /v1/packs/:name': 'a pack is taken away for good, with its data or without',
  'POST /v1/packs/:name/reload': 'a new version is taken while the platform serves',
  'POST /v1/packs/:name/parked/:factId/replay': 'a fact that was set aside is tried again'
}
