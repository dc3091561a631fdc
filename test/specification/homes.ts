/** Which rows of the specification a pack serves, as soon as there is a folder of that name. */
export const homes: Readonly<Record<string, readonly RegExp[]>> = {
  access: [/^\/v1\/auth\//],
  agents: [
    /^\/v1\/agents(\/:agentId)?$/,
    /^\/v1\/agents\/(:agentId\/)?(knowledgebase|preferred-connections)/
  ],
  autonomy: [/^\/v1\/agents\/:agentId\/(autonomy|trigger)(\/|$)/],
  compute: [/^\/v1\/compute\//],
  files: [/^\/v1\/files/, /^\/v1\/agents\/:agentId\/avatar/],
  goals: [/^\/v1\/goals/],
  knowledge: [/^\/v1\/knowledge(\/|$)/],
  library: [
    /^\/v1\/library(\/:itemId(\/(preview|provenance|download|grants|share-links)|$)|$)/,
    /^\/v1\/shared\/artifacts\//
  ],
  mcp: [/^\/v1\/mcp\/(servers|tools)(\/|$)/],
  memory: [/^\/v1\/memory(\/|$)/],
  models: [/^\/v1\/models$/],
  runs: [/^\/v1\/agents\/(run|runs|cli-tool-result)(\/|$)/],
  sessions: [/^\/v1\/(agents\/)?sessions(\/|$)/],
  skills: [/^\/v1\/skills(\/|$)/],
  tasks: [/^\/v1\/tasks/],
  tools: [
    /^\/v1\/(agents\/(:agentId\/)?)?tools(\/|$)/,
    /^\/v1\/tool-(keys|permissions)(\/|$)/,
    /^\/v1\/runtime\//
  ],
  workflows: [/^\/v1\/workflows(\/|$)/]
}

/**
 * What the packs of this repository mount beside the specification, and why. A pack that is named neither above nor
 * by a route here is somebody's own: it may mount what it likes below a path that the specification does not use.
 */
export const additions: Readonly<Record<string, string>> = {
  'GET /.well-known/jwks.json': 'public keys of the principal envelope, for internal services',
  'DELETE /v1/agents/:agentId': 'what can be created can be deleted',
  'GET /v1/agents/:agentId/autonomy/beats': 'when an agent beat, why it did not, and what came of it',
  'GET /v1/agents/runs/:runId': 'a run that was left can be looked at',
  'GET /v1/agents/runs/:runId/stream': 'EventSource knows nothing but GET',
  'POST /v1/agents/runs/:runId/cancel': 'what was begun can be stopped',
  'POST /v1/agents/runs/:runId/approvals/:callId': 'a call that waits for approval is decided on',
  'POST /v1/agents/runs/:runId/elicitations/:elicitationId':
    'a tool that asks in the middle of a call is answered',
  'GET /v1/knowledge/:spaceId/search': 'one space can be searched',
  'GET /v1/knowledge/:spaceId/imports/:importId': 'how far an import is',
  'GET /v1/knowledge/:spaceId/grants': 'who was granted a space can be looked up, and revoked',
  'GET /v1/library/:itemId/grants': 'who was granted an item can be looked up, and revoked',
  'GET /v1/tools/calls': 'who called what, and what came of it',
  'GET /v1/tools/calls/:callId': 'who called what, and what came of it',
  'GET /v1/tools/calls/:callId/output': 'an output that was too long for its caller can be read',
  'GET /v1/mcp': 'the platform as a tool server: what the protocol asks for',
  'POST /v1/mcp': 'the platform as a tool server',
  'DELETE /v1/mcp': 'the platform as a tool server: what the protocol asks for',
  'POST /v1/mcp/tools/:mcpToolId/approve': 'a tool whose definition changed is offered again only after that',
  'GET /v1/mcp/oauth/client.json': 'who the platform is, for authorization servers',
  'GET /v1/mcp/oauth/callback': 'where an authorization server sends the owner of a tool server back to',
  'GET /v1/memory/agents/:agentId/settings': 'each agent remembers as its owner wants it to',
  'PATCH /v1/memory/agents/:agentId/settings': 'each agent remembers as its owner wants it to',
  'GET /v1/memory/shared-scopes/:scopeId': 'what can be made can be looked at',
  'PATCH /v1/memory/shared-scopes/:scopeId': 'who shares changes',
  'DELETE /v1/memory/shared-scopes/:scopeId': 'what can be made can be deleted',
  'GET /v1/models/embedding': 'which model gives a project its vectors',
  'PUT /v1/models/embedding': 'a project chooses the model that gives it vectors',
  'DELETE /v1/models/embedding': 'what was chosen goes back to the deployment’s',
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
  'GET /v1/agents/:agentId/avatar': 'what was uploaded can be shown',
  'HEAD /v1/agents/:agentId/avatar': 'what was uploaded can be shown',
  'HEAD /v1/files/:fileId/content': 'how large a file is, without reading it',
  'GET /openapi.json': 'the description of the API, outside production',
  'GET /docs': 'the API reference to read and to try out, outside production',
  'GET /docs/assets/:file': 'the script of that page, which works offline',
  'GET /metrics': 'readings for Prometheus',
  'GET /v1/goals': 'what can be made can be listed',
  'DELETE /v1/goals/:goalId': 'what can be made can be deleted',
  'POST /v1/workflows/:id/executions/:executionId/events': 'what an execution waits for comes',
  'GET /v1/tasks/:id/runs': 'what came of a task, time after time',
  'GET /v1/packs': 'the operator’s view of the packs',
  'GET /v1/packs/changes': 'what changed, and what that cost',
  'GET /v1/packs/:name': 'the operator’s view of a pack',
  'PUT /v1/packs/:name': 'a pack is enabled, disabled and configured while the platform serves',
  'DELETE /v1/packs/:name': 'a pack is taken away for good, with its data or without',
  'POST /v1/packs/:name/reload': 'a new version is taken while the platform serves',
  'POST /v1/packs/:name/dead-lettered/:factId/replay': 'a fact that was set aside is tried again'
}
