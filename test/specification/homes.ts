/** Which rows of the specification a pack serves, as soon as there is a folder of that name. */
export const homes: Readonly<Record<string, readonly RegExp[]>> = {
  access: [/^\/v1\/auth\//],
  agents: [
    /^\/v1\/agents(\/:agentId)?$/,
    /^\/v1\/agents\/(:agentId\/)?(knowledgebase|preferred-connections)/
  ],
  compute: [/^\/v1\/compute\//],
  goals: [/^\/v1\/goals/]
}

/** What is mounted beside the specification, and why. */
export const additions: Readonly<Record<string, string>> = {
  'GET /.well-known/jwks.json': 'public keys of the principal envelope, for internal services',
  'DELETE /v1/agents/:agentId': 'what can be created can be deleted',
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
  'POST /v1/packs/:name/reload': 'a new version is taken while the platform serves',
  'POST /v1/packs/:name/parked/:factId/replay': 'a fact that was set aside is tried again'
}
