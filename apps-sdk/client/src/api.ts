// Made from the OpenAPI document of a platform with all packs, by openapi-typescript:
// UPDATE=1 npx tap apps-sdk/client/types.test.ts

export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Liveness */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Readiness to take requests */
        get: operations["getHealthReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the keys by which internal services check principal envelopes
         * @description Takes no credential.
         */
        get: operations["getWellKnownJwksJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the API reference
         * @description Takes no credential.
         */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/assets/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the script of the API reference
         * @description Takes no credential.
         */
        get: operations["getDocsAssetsByFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get all metrics of this instance
         * @description In the text format of Prometheus.
         *
         *     Needs the scope `platform:admin`.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the OpenAPI document
         * @description Made from the packs that are on. Its ETag answers `If-None-Match` with 304.
         *
         *     Takes no credential.
         */
        get: operations["getOpenapiJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description Needs the scope `agents:read`.
         */
        get: operations["getAgents"];
        put?: never;
        /**
         * Create an agent
         * @description Needs the scope `agents:create`.
         */
        post: operations["postAgents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent
         * @description Needs the scope `agents:read`.
         */
        get: operations["getAgentsByAgentId"];
        /**
         * Update an agent
         * @description Needs the scope `agents:write`.
         */
        put: operations["putAgentsByAgentId"];
        post?: never;
        /**
         * Delete an agent and everything that is kept for it
         * @description Needs the scope `agents:write`.
         */
        delete: operations["deleteAgentsByAgentId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}/autonomy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the heartbeat of an agent
         * @description Needs the scope `agents:read`.
         */
        get: operations["getAgentsByAgentIdAutonomy"];
        /**
         * Update the heartbeat of an agent
         * @description Enables, disables or changes it. Of `intervalMinutes` and `cronExpression` the one that is given takes the place of the other.
         *
         *     Needs the scope `agents:write`.
         */
        put: operations["putAgentsByAgentIdAutonomy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}/autonomy/beats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the beats of an agent
         * @description With those that were skipped, and what triggered the agent from outside.
         *
         *     Needs the scope `agents:read`.
         */
        get: operations["getAgentsByAgentIdAutonomyBeats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}/autonomy/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire one beat now
         * @description Also while the heartbeat is off, outside of its hours and after failures. 409 `agent_busy` while the agent has something to do, 429 `daily_beats` or `daily_tokens` when a cap is reached.
         *
         *     Needs the scope `agents:write`.
         */
        post: operations["postAgentsByAgentIdAutonomyTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the avatar image of an agent
         * @description 404 with the code `avatar_missing` where the agent has none. The ETag is the SHA-256 and answers `If-None-Match` with 304; `HEAD` tells both without the image.
         *
         *     Needs the scope `agents:read`.
         */
        get: operations["getAgentsByAgentIdAvatar"];
        put?: never;
        /**
         * Upload an avatar image
         * @description Takes `multipart/form-data` with a PNG, JPEG or WebP in the field `file`. It is kept as a WebP of at most 512 pixels a side, without metadata.
         *
         *     Needs the scope `agents:write`.
         */
        post: operations["postAgentsByAgentIdAvatar"];
        delete?: never;
        options?: never;
        /**
         * Get the avatar image of an agent
         * @description 404 with the code `avatar_missing` where the agent has none. The ETag is the SHA-256 and answers `If-None-Match` with 304; `HEAD` tells both without the image.
         *
         *     Needs the scope `agents:read`.
         */
        head: operations["headAgentsByAgentIdAvatar"];
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}/knowledgebase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the always-on context
         * @description Needs the scope `agents:read`.
         */
        get: operations["getAgentsByAgentIdKnowledgebase"];
        /**
         * Replace the always-on context
         * @description Needs the scope `agents:write`.
         */
        put: operations["putAgentsByAgentIdKnowledgebase"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}/preferred-connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List preferred peer agents
         * @description Needs the scope `agents:read`.
         */
        get: operations["getAgentsByAgentIdPreferredConnections"];
        put?: never;
        /**
         * Pin a peer agent
         * @description Needs the scope `agents:write`.
         */
        post: operations["postAgentsByAgentIdPreferredConnections"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools that an agent was assigned
         * @description Needs the scope `agents:read`.
         */
        get: operations["getAgentsByAgentIdTools"];
        put?: never;
        /**
         * Assign a tool to an agent
         * @description Needs the scope `agents:write`.
         */
        post: operations["postAgentsByAgentIdTools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Trigger an agent with a payload from outside
         * @description Starts a run with it, marked as untrusted, and returns at once.
         *
         *     Needs the scope `agents:run`.
         */
        post: operations["postAgentsByAgentIdTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/cli-tool-result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Return the result of a call to the waiting run
         * @description Needs the scope `agents:write` or `agents:run`.
         */
        post: operations["postAgentsCliToolResult"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/preferred-connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unpin a peer agent
         * @description Needs the scope `agents:write`.
         */
        delete: operations["deleteAgentsPreferredConnectionsById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run an agent to completion
         * @description Returns when the run ends, when it waits for a result, an approval or an answer (`status: "waiting"`), or when it stands behind a run of its session that waits (`status: "queued"`).
         *
         *     Needs the scope `agents:run`.
         */
        post: operations["postAgentsRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/run/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run an agent and stream its events
         * @description Needs the scope `agents:run`.
         */
        post: operations["postAgentsRunStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run
         * @description Needs the scope `agents:read` or `agents:run`.
         */
        get: operations["getAgentsRunsByRunId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/runs/{runId}/approvals/{callId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve or reject a call that waits for it
         * @description For the owner of the session or of the agent, never for an agent. 409 for a second decision.
         *
         *     Needs the scope `agents:write`.
         */
        post: operations["postAgentsRunsByRunIdApprovalsByCallId"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/runs/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description Returns when it has ended. 409 for a run that had completed or failed before.
         *
         *     Needs the scope `agents:write` or `agents:run`.
         */
        post: operations["postAgentsRunsByRunIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/runs/{runId}/elicitations/{elicitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer what a tool asks in the middle of a call
         * @description Never for an agent. 409 for a second answer.
         *
         *     Needs the scope `agents:write` or `agents:run`.
         */
        post: operations["postAgentsRunsByRunIdElicitationsByElicitationId"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/runs/{runId}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the stream of a run
         * @description For EventSource: events carry ids, and `Last-Event-ID` resumes.
         *
         *     Needs the scope `agents:read` or `agents:run`.
         */
        get: operations["getAgentsRunsByRunIdStream"];
        put?: never;
        /**
         * Resume the stream of a run
         * @description Needs the scope `agents:write` or `agents:run`.
         */
        post: operations["postAgentsRunsByRunIdStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/sessions/{sessionId}/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the chat transcript of a session, the newest message first
         * @description What `/full` has, without what tools said.
         *
         *     Needs the scope `agents:read`.
         */
        get: operations["getAgentsSessionsBySessionIdChat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute one tool call
         * @description A tool whose policy is `ask` is 403, code `approval_required`.
         *
         *     Needs the scope `agents:write`.
         */
        post: operations["postAgentsTools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/tools/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a tool from an agent
         * @description Needs the scope `agents:write`.
         */
        delete: operations["deleteAgentsToolsById"];
        options?: never;
        head?: never;
        /**
         * Update an assignment
         * @description Needs the scope `agents:write`.
         */
        patch: operations["patchAgentsToolsById"];
        trace?: never;
    };
    "/v1/auth/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys of the caller's own principal
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `auth:read`.
         */
        get: operations["getAuthApiKeys"];
        put?: never;
        /**
         * Create a key of the caller's own principal
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `auth:write`.
         *
         *     Has a low rate limit of its own.
         *
         *     `key` is shown in this reply alone; a repetition comes without it.
         */
        post: operations["postAuthApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key, and what was made with it
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `auth:write`.
         *
         *     Has a low rate limit of its own.
         */
        delete: operations["deleteAuthApiKeysById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Identify the caller
         * @description Needs a credential.
         */
        get: operations["getAuthMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/compute/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read from the compute service
         * @description Needs the scope `compute:read`.
         */
        get: operations["getComputeByPath"];
        /**
         * Write to the compute service
         * @description Needs the scope `compute:write`.
         */
        put: operations["putComputeByPath"];
        /**
         * Write to the compute service
         * @description Needs the scope `compute:write`.
         */
        post: operations["postComputeByPath"];
        /**
         * Write to the compute service
         * @description Needs the scope `compute:write`.
         */
        delete: operations["deleteComputeByPath"];
        /**
         * Read from the compute service
         * @description Needs the scope `compute:read`.
         */
        options: operations["optionsComputeByPath"];
        /**
         * Read from the compute service
         * @description Needs the scope `compute:read`.
         */
        head: operations["headComputeByPath"];
        /**
         * Write to the compute service
         * @description Needs the scope `compute:write`.
         */
        patch: operations["patchComputeByPath"];
        trace?: never;
    };
    "/v1/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `files:read`.
         */
        get: operations["getFilesByFileId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{fileId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the bytes of a file
         * @description With the content type of the file. `Range` (one range) answers 206 or 416; the ETag is the SHA-256 and answers `If-None-Match` with 304. What a browser would run is a download.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `files:read`.
         */
        get: operations["getFilesByFileIdContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Get the bytes of a file
         * @description With the content type of the file. `Range` (one range) answers 206 or 416; the ETag is the SHA-256 and answers `If-None-Match` with 304. What a browser would run is a download.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `files:read`.
         */
        head: operations["headFilesByFileIdContent"];
        patch?: never;
        trace?: never;
    };
    "/v1/files/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file
         * @description Takes `multipart/form-data` with one or several files in the field `file`: the reply holds the file, or, of several, a list of them in that order. All of them are stored, or none.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `files:write`.
         */
        post: operations["postFilesUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List goals
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `goals:read`.
         */
        get: operations["getGoals"];
        put?: never;
        /**
         * Create a goal
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `goals:write`.
         */
        post: operations["postGoals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a goal
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `goals:read`.
         */
        get: operations["getGoalsByGoalId"];
        /**
         * Update a goal
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `goals:write`.
         */
        put: operations["putGoalsByGoalId"];
        post?: never;
        /**
         * Delete a goal
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `goals:write`.
         */
        delete: operations["deleteGoalsByGoalId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/knowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the spaces that the caller may read
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:read`.
         */
        get: operations["getKnowledge"];
        put?: never;
        /**
         * Create a space
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:write`.
         */
        post: operations["postKnowledge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/knowledge/{spaceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a space
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:read`.
         */
        get: operations["getKnowledgeBySpaceId"];
        put?: never;
        post?: never;
        /**
         * Delete a space with all that is in it
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:write`.
         */
        delete: operations["deleteKnowledgeBySpaceId"];
        options?: never;
        head?: never;
        /**
         * Update a space
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:write`.
         */
        patch: operations["patchKnowledgeBySpaceId"];
        trace?: never;
    };
    "/v1/knowledge/{spaceId}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of a space, without their text
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:read`.
         */
        get: operations["getKnowledgeBySpaceIdDocuments"];
        put?: never;
        /**
         * Create a document
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:write`.
         */
        post: operations["postKnowledgeBySpaceIdDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/knowledge/{spaceId}/documents/{documentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a document with its text
         * @description One that was deleted is a 404 with the code `document_deleted`.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:read`.
         */
        get: operations["getKnowledgeBySpaceIdDocumentsByDocumentId"];
        put?: never;
        post?: never;
        /**
         * Delete a document with all its versions
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:write`.
         */
        delete: operations["deleteKnowledgeBySpaceIdDocumentsByDocumentId"];
        options?: never;
        head?: never;
        /**
         * Update, rename or move a document
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:write`.
         */
        patch: operations["patchKnowledgeBySpaceIdDocumentsByDocumentId"];
        trace?: never;
    };
    "/v1/knowledge/{spaceId}/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the folders of a space
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:read`.
         */
        get: operations["getKnowledgeBySpaceIdFolders"];
        put?: never;
        /**
         * Create a folder
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:write`.
         */
        post: operations["postKnowledgeBySpaceIdFolders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/knowledge/{spaceId}/folders/{folderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a folder with all that is in it
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:write`.
         */
        delete: operations["deleteKnowledgeBySpaceIdFoldersByFolderId"];
        options?: never;
        head?: never;
        /**
         * Rename or move a folder
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:write`.
         */
        patch: operations["patchKnowledgeBySpaceIdFoldersByFolderId"];
        trace?: never;
    };
    "/v1/knowledge/{spaceId}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who was granted the space
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:read`.
         */
        get: operations["getKnowledgeBySpaceIdGrants"];
        put?: never;
        /**
         * Grant access to the space
         * @description 200 where the subject had a grant, which then has the level of this one.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:write`.
         */
        post: operations["postKnowledgeBySpaceIdGrants"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/knowledge/{spaceId}/grants/{grantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke access to the space
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:write`.
         */
        delete: operations["deleteKnowledgeBySpaceIdGrantsByGrantId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/knowledge/{spaceId}/graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the links between the documents of a space
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:read`.
         */
        get: operations["getKnowledgeBySpaceIdGraph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/knowledge/{spaceId}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import documents
         * @description The body is JSON (`{files: [{path, content}]}` or `{fileIds: […]}`), a form with files in the fields `file`, a ZIP archive, or one Markdown file. Few documents are imported when it returns; many are while it is `running`. A path that is there with the same text is left as it is.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:write`.
         */
        post: operations["postKnowledgeBySpaceIdImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/knowledge/{spaceId}/imports/{importId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an import, with how far it is
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:read`.
         */
        get: operations["getKnowledgeBySpaceIdImportsByImportId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/knowledge/{spaceId}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search a space
         * @description The best first, at most 200.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:read`.
         */
        get: operations["getKnowledgeBySpaceIdSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/knowledge/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what can search spaces
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:read`.
         */
        get: operations["getKnowledgeProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/knowledge/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search all spaces that the caller may read
         * @description The best first, at most 200. The 100 newest spaces are searched.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `knowledge:read`.
         */
        get: operations["getKnowledgeSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/library": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List library items
         * @description Those that the caller owns, and those that it was granted.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `library:read`.
         */
        get: operations["getLibrary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/library/{itemId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an item
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `library:read`.
         */
        get: operations["getLibraryByItemId"];
        put?: never;
        post?: never;
        /**
         * Delete an item
         * @description Together with its file.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `library:write`.
         */
        delete: operations["deleteLibraryByItemId"];
        options?: never;
        head?: never;
        /**
         * Rename, describe, favourite
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `library:write`.
         */
        patch: operations["patchLibraryByItemId"];
        trace?: never;
    };
    "/v1/library/{itemId}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Signed download
         * @description An address of the bytes, which needs no credential and expires.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `library:read`.
         */
        get: operations["getLibraryByItemIdDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/library/{itemId}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who was granted the item
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `library:read`.
         */
        get: operations["getLibraryByItemIdGrants"];
        put?: never;
        /**
         * Grant access
         * @description 200 where the subject had a grant, which then has the level of this one.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `library:write`.
         */
        post: operations["postLibraryByItemIdGrants"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/library/{itemId}/grants/{grantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke access
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `library:write`.
         */
        delete: operations["deleteLibraryByItemIdGrantsByGrantId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/library/{itemId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview representation
         * @description Text; sanitised HTML of Markdown, HTML, CSV and DOCX; a WebP of an image; a PNG of the first page of a PDF. `x-preview-truncated: true` where it is only a part. 415 for what has no preview.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `library:read`.
         */
        get: operations["getLibraryByItemIdPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/library/{itemId}/provenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Origin of the item
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `library:read`.
         */
        get: operations["getLibraryByItemIdProvenance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/library/{itemId}/share-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a public share link
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `library:write`.
         *
         *     Has a low rate limit of its own.
         *
         *     `token` and `url` are shown in this reply alone; a repetition comes without it.
         */
        post: operations["postLibraryByItemIdShareLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/library/{itemId}/share-links/{shareId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a share link
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `library:write`.
         */
        delete: operations["deleteLibraryByItemIdShareLinksByShareId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/library/preferences/storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the storage preference
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `library:read`.
         */
        get: operations["getLibraryPreferencesStorage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the preference: object storage or content-addressed network storage
         * @description Of the owner of what the caller makes. Items that are there get their CIDs in the background, as new ones do; a CID stays, whatever the preference becomes.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `library:write`.
         */
        patch: operations["patchLibraryPreferencesStorage"];
        trace?: never;
    };
    "/v1/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The stream of a tool server: there is none, 405
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:read`.
         */
        get: operations["getMcp"];
        put?: never;
        /**
         * The platform as a tool server (Model Context Protocol, streamable HTTP)
         * @description JSON-RPC 2.0: the session protocol up to 2025-11-25, and 2026-07-28 without sessions. Batches are refused.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:write`.
         */
        post: operations["postMcp"];
        /**
         * The end of a session with a tool server: none is kept, 405
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:write`.
         */
        delete: operations["deleteMcp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the owner of a tool server is sent back to after letting the platform use it
         * @description Takes no credential.
         */
        get: operations["getMcpOauthCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/oauth/client.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the platform is as an OAuth client, for authorization servers that ask
         * @description Takes no credential.
         */
        get: operations["getMcpOauthClientJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's tool servers
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:read`.
         */
        get: operations["getMcpServers"];
        put?: never;
        /**
         * Register a tool server
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:write`.
         */
        post: operations["postMcpServers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{serverId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tool server
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:read`.
         */
        get: operations["getMcpServersByServerId"];
        /**
         * Update a tool server
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:write`.
         */
        put: operations["putMcpServersByServerId"];
        post?: never;
        /**
         * Delete a tool server, with its tools
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:write`.
         */
        delete: operations["deleteMcpServersByServerId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{serverId}/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect to a tool server, and discover what it offers
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:write`.
         *
         *     `authorizationUrl` is shown in this reply alone; a repetition comes without it.
         */
        post: operations["postMcpServersByServerIdConnect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{serverId}/disconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disconnect from a tool server: its tools cannot be called until it is connected again
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:write`.
         */
        post: operations["postMcpServersByServerIdDisconnect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{serverId}/prompts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the prompts that were discovered at a server
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:read`.
         */
        get: operations["getMcpServersByServerIdPrompts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{serverId}/prompts/{promptName}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a prompt of a tool server
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:write`.
         */
        post: operations["postMcpServersByServerIdPromptsByPromptName"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{serverId}/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the resources and templates that were discovered at a server
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:read`.
         */
        get: operations["getMcpServersByServerIdResources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{serverId}/resources/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a resource of a tool server
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:read`.
         */
        get: operations["getMcpServersByServerIdResourcesRead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{serverId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Connection status of a tool server
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:read`.
         */
        get: operations["getMcpServersByServerIdStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{serverId}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Discover the tools, resources and prompts of a server anew
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:write`.
         */
        post: operations["postMcpServersByServerIdSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{serverId}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools that were discovered at a server
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:read`.
         */
        get: operations["getMcpServersByServerIdTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/marketplace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Browse the public catalogue of tool servers
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:read`.
         */
        get: operations["getMcpServersMarketplace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools of tool servers that the caller may use
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:read`.
         */
        get: operations["getMcpTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/tools/{mcpToolId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tool of a tool server
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:read`.
         */
        get: operations["getMcpToolsByMcpToolId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/tools/{mcpToolId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a tool as it is now, so that agents may be offered it
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `mcp:write`.
         */
        post: operations["postMcpToolsByMcpToolIdApprove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a memory
         * @description With `supersedes` it takes the place of another memory of the same agent or scope, which is kept and ends when this one begins; 409 `already_superseded` when that has happened before.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `memory:write`.
         */
        post: operations["postMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/{memoryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a memory
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `memory:read`.
         */
        get: operations["getMemoryByMemoryId"];
        put?: never;
        post?: never;
        /**
         * Delete a memory
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `memory:write`.
         */
        delete: operations["deleteMemoryByMemoryId"];
        options?: never;
        head?: never;
        /**
         * Update a memory
         * @description Corrects it: it was never otherwise. What was so, and is not so any more, is superseded by a new one.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `memory:write`.
         */
        patch: operations["patchMemoryByMemoryId"];
        trace?: never;
    };
    "/v1/memory/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an agent's memories
         * @description Its own, and those of the shared scopes that it can read.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `memory:read`.
         */
        get: operations["getMemoryAgentsByAgentId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/agents/{agentId}/retrieve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search an agent's memories
         * @description By meaning and by words, the best first, each with its score and what that is made of; 100 at most.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `memory:read`.
         */
        get: operations["getMemoryAgentsByAgentIdRetrieve"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/agents/{agentId}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how an agent remembers
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `memory:read`.
         */
        get: operations["getMemoryAgentsByAgentIdSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update how an agent remembers
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `memory:write`.
         */
        patch: operations["patchMemoryAgentsByAgentIdSettings"];
        trace?: never;
    };
    "/v1/memory/agents/{agentId}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count an agent's memories by type
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `memory:read`.
         */
        get: operations["getMemoryAgentsByAgentIdStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/shared-scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a shared memory scope
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `memory:write`.
         */
        post: operations["postMemorySharedScopes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/shared-scopes/{scopeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a shared memory scope
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `memory:read`.
         */
        get: operations["getMemorySharedScopesByScopeId"];
        put?: never;
        post?: never;
        /**
         * Delete a shared memory scope
         * @description With all that is remembered in it.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `memory:write`.
         */
        delete: operations["deleteMemorySharedScopesByScopeId"];
        options?: never;
        head?: never;
        /**
         * Update a shared memory scope
         * @description `agents` replaces the list: an agent that is not in it any more reads nothing of the scope from then on.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `memory:write`.
         */
        patch: operations["patchMemorySharedScopesByScopeId"];
        trace?: never;
    };
    "/v1/memory/shared-scopes/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the shared scopes that an agent can read
         * @description With what the agent may do in each.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `memory:read`.
         */
        get: operations["getMemorySharedScopesAgentsByAgentId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description As the caller's project has them; without a credential, as every project has them.
         *
         *     Takes a credential, and needs none.
         */
        get: operations["getModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/embedding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the model that gives vectors for the texts of the project
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `models:read`.
         */
        get: operations["getModelsEmbedding"];
        /**
         * Choose the model that gives vectors for the texts of the project
         * @description It is asked once before it is chosen. What has vectors of another one gets new ones meanwhile.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `models:write`.
         *
         *     Has a low rate limit of its own.
         */
        put: operations["putModelsEmbedding"];
        post?: never;
        /**
         * Forget the project's choice of a model for vectors
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `models:write`.
         *
         *     Has a low rate limit of its own.
         */
        delete: operations["deleteModelsEmbedding"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List model providers as the project has them
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `models:read`.
         */
        get: operations["getModelsProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/providers/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a model provider
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `models:read`.
         */
        get: operations["getModelsProvidersByProvider"];
        /**
         * Set the project's own key or address for a model provider
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `models:write`.
         *
         *     Has a low rate limit of its own.
         */
        put: operations["putModelsProvidersByProvider"];
        post?: never;
        /**
         * Forget the project's own key and address for a model provider
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `models:write`.
         *
         *     Has a low rate limit of its own.
         */
        delete: operations["deleteModelsProvidersByProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/packs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List packs
         * @description All of them on one page: `limit` and `cursor` are not needed.
         *
         *     Needs the scope `platform:admin`.
         */
        get: operations["getPacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/packs/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a pack
         * @description Needs the scope `platform:admin`.
         */
        get: operations["getPacksByName"];
        /**
         * Enable, disable or configure a pack
         * @description Applied before the reply; 409 with the reason when the change is refused.
         *
         *     Needs the scope `platform:admin`.
         */
        put: operations["putPacksByName"];
        post?: never;
        /**
         * Remove a pack
         * @description Turned off on all instances, which may take as long as their requests, then forgotten: settings, choices, facts that wait for it, and its tables if so asked. It stays off while its folder is there, until it is enabled.
         *
         *     Needs the scope `platform:admin`.
         */
        delete: operations["deletePacksByName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/packs/{name}/dead-lettered/{factId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand a dead-lettered fact to its pack again
         * @description Needs the scope `platform:admin`.
         */
        post: operations["postPacksByNameDeadLetteredByFactIdReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/packs/{name}/reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Load the version of a pack that lies in its folder now
         * @description Needs the scope `platform:admin`.
         */
        post: operations["postPacksByNameReload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/packs/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes of packs, newest first
         * @description Needs the scope `platform:admin`.
         */
        get: operations["getPacksChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runtime/agents/{agentId}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tool manifest for a runtime
         * @description All that the agent may call now.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `runtime:read`.
         */
        get: operations["getRuntimeAgentsByAgentIdTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runtime/agents/{agentId}/tools/invoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invoke a tool from a runtime
         * @description A tool whose policy is `ask` is 403, code `approval_required`.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `runtime:write`.
         */
        post: operations["postRuntimeAgentsByAgentIdToolsInvoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a session
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `sessions:write`.
         */
        post: operations["postSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a session
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `sessions:read`.
         */
        get: operations["getSessionsById"];
        put?: never;
        post?: never;
        /**
         * Delete a session and its messages
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `sessions:write`.
         */
        delete: operations["deleteSessionsById"];
        options?: never;
        head?: never;
        /**
         * Rename or update a session
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `sessions:write`.
         */
        patch: operations["patchSessionsById"];
        trace?: never;
    };
    "/v1/sessions/{id}/full": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a session with its complete message history
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `sessions:read`.
         */
        get: operations["getSessionsByIdFull"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/agent/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions of an agent
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `sessions:read`.
         */
        get: operations["getSessionsAgentByAgentId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/list/{agentId}/{initiator}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions of one agent and user
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `sessions:read`.
         */
        get: operations["getSessionsListByAgentIdByInitiator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/user/{initiator}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions of a user
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `sessions:read`.
         */
        get: operations["getSessionsUserByInitiator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared/artifacts/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resolve a share link
         * @description The bytes of the item, as a download, without a credential; counted before the first of them is sent. `Range` (one range) answers 206 or 416, and counts as a download too. A password goes in `x-share-password`: 403, code `password_required` or `password_wrong`. 404 for what is unknown, revoked, expired or used up.
         *
         *     Takes no credential.
         */
        get: operations["getSharedArtifactsByToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Resolve a share link
         * @description The bytes of the item, as a download, without a credential; counted before the first of them is sent. `Range` (one range) answers 206 or 416, and counts as a download too. A password goes in `x-share-password`: 403, code `password_required` or `password_wrong`. 404 for what is unknown, revoked, expired or used up.
         *
         *     Takes no credential.
         */
        head: operations["headSharedArtifactsByToken"];
        patch?: never;
        trace?: never;
    };
    "/v1/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List skills
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `skills:read`.
         */
        get: operations["getSkills"];
        put?: never;
        /**
         * Create a skill
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `skills:write`.
         */
        post: operations["postSkills"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a skill
         * @description As an archive that other products import, too, or as its SKILL.md alone: by `format`, or by `Accept`.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `skills:read`.
         */
        get: operations["getSkillsById"];
        /**
         * Update a skill
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `skills:write`.
         */
        put: operations["putSkillsById"];
        post?: never;
        /**
         * Delete a skill
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `skills:write`.
         */
        delete: operations["deleteSkillsById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{id}/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Attach a skill to an agent, or detach it
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `skills:write`.
         */
        put: operations["putSkillsByIdAgentsByAgentId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the skills of an agent
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `skills:read`.
         */
        get: operations["getSkillsAgentsByAgentId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a skill
         * @description A form whose `file` is a SKILL.md or a ZIP archive of its folder, and whose `slug` may be given; or either of them as the body itself; or JSON: a definition as `POST /v1/skills` takes it, alone or under `definition`, the text of a SKILL.md under `content`, or an archive in base64 under `archive`; beside these, `slug`.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `skills:write`.
         */
        post: operations["postSkillsImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what agents are told of skills before they load one
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `skills:read`.
         */
        get: operations["getSkillsIndex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tasks:read`.
         */
        get: operations["getTasks"];
        put?: never;
        /**
         * Create a task
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tasks:write`.
         */
        post: operations["postTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a task
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tasks:read`.
         */
        get: operations["getTasksById"];
        /**
         * Replace a task
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tasks:write`.
         */
        put: operations["putTasksByTaskId"];
        post?: never;
        /**
         * Delete a task
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tasks:write`.
         */
        delete: operations["deleteTasksById"];
        options?: never;
        head?: never;
        /**
         * Update a task
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tasks:write`.
         */
        patch: operations["patchTasksByTaskId"];
        trace?: never;
    };
    "/v1/tasks/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a task
         * @description What is under way stops within a second, and nothing more is scheduled. 409 `already_ended` for one that has completed or failed. To stop one run of a recurring task, cancel the run of its agent.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `tasks:write`.
         */
        post: operations["postTasksByIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a task now
         * @description Whatever it is scheduled for stays. 409 `already_running` while a run of it is under way.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `tasks:write`.
         */
        post: operations["postTasksByIdExecute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a task
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tasks:read`.
         */
        get: operations["getTasksByIdRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a run of a task
         * @description Ends with `completed`, `failed` or `cancelled`. Of a task that is scheduled for its first run it opens at once and waits for that, for an hour at most (comments keep it open; then it ends without an event, to be opened again); 429 `too_many_streams` where the owner has a hundred of those. 404 `never_ran` when nothing has run and nothing is scheduled.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `tasks:read`.
         */
        get: operations["getTasksByIdStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Reschedule a task that runs once
         * @description A recurring task follows its `cronExpression`: 409 `recurring_task`. Null calls the time off.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `tasks:write`.
         */
        patch: operations["patchTasksByTaskIdSchedule"];
        trace?: never;
    };
    "/v1/tool-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys, without their values
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-keys:read`.
         */
        get: operations["getToolKeys"];
        put?: never;
        /**
         * Store a key
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-keys:write`.
         *
         *     Has a low rate limit of its own.
         */
        post: operations["postToolKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a key, without its value, and what uses it
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-keys:read`.
         */
        get: operations["getToolKeysByKeyId"];
        put?: never;
        post?: never;
        /**
         * Delete a key; the reply says what was using it
         * @description Tools that it is mapped to cannot be called any more, 409 `key_missing`, until another key takes its place or the mapping is deleted.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-keys:write`.
         *
         *     Has a low rate limit of its own.
         */
        delete: operations["deleteToolKeysByKeyId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-keys/{keyId}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Rename or describe a key, or change its hosts; more hosts need the value again
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-keys:write`.
         *
         *     Has a low rate limit of its own.
         */
        put: operations["putToolKeysByKeyIdMetadata"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-keys/{keyId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call an address with a key
         * @description A key that is mapped to a tool needs nothing more: an empty body calls the address of that tool.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-keys:write`.
         *
         *     Has a low rate limit of its own.
         */
        post: operations["postToolKeysByKeyIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-keys/{keyId}/value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the value of a key
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-keys:write`.
         *
         *     Has a low rate limit of its own.
         */
        put: operations["putToolKeysByKeyIdValue"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-keys/map": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Map a key to a tool
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-keys:write`.
         *
         *     Has a low rate limit of its own.
         */
        post: operations["postToolKeysMap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-keys/map/{mappingId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a key from a tool
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-keys:write`.
         *
         *     Has a low rate limit of its own.
         */
        delete: operations["deleteToolKeysMapByMappingId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-permissions/{permissionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a permission
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-permissions:write`.
         */
        delete: operations["deleteToolPermissionsByPermissionId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-permissions/accessible-tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools that the caller may use, and why
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-permissions:read`.
         */
        get: operations["getToolPermissionsAccessibleTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-permissions/batch-grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant access many times at once, or not at all
         * @description The permissions, in the order of the grants; 200 where every subject had one.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-permissions:write`.
         */
        post: operations["postToolPermissionsBatchGrant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-permissions/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check one permission
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-permissions:read`.
         */
        get: operations["getToolPermissionsCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-permissions/check-agent-access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether an agent may call a tool for the caller
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-permissions:read`.
         */
        get: operations["getToolPermissionsCheckAgentAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-permissions/grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant access to a tool
         * @description 200 where the subject had a permission, which then has the level of this one.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-permissions:write`.
         */
        post: operations["postToolPermissionsGrant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-permissions/subject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a subject was granted
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-permissions:read`.
         */
        get: operations["getToolPermissionsSubject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-permissions/tool/{toolId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who was granted a tool
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-permissions:read`.
         */
        get: operations["getToolPermissionsToolByToolId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-permissions/transfer-ownership": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand a tool to someone else
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tool-permissions:write`.
         *
         *     Has a low rate limit of its own.
         */
        post: operations["postToolPermissionsTransferOwnership"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tools that the caller may use
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tools:read`.
         */
        get: operations["getTools"];
        put?: never;
        /**
         * Register a tool
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tools:write`.
         */
        post: operations["postTools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tool
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tools:read`.
         */
        get: operations["getToolsByName"];
        /**
         * Update a tool
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tools:write`.
         */
        put: operations["putToolsByName"];
        post?: never;
        /**
         * Delete a tool, with its assignments, permissions and key mappings
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tools:write`.
         */
        delete: operations["deleteToolsByName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calls of tools
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tools:read`.
         */
        get: operations["getToolsCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/calls/{callId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the record of a call
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tools:read`.
         */
        get: operations["getToolsCallsByCallId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/calls/{callId}/output": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an output that was too long for its caller
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tools:read`.
         */
        get: operations["getToolsCallsByCallIdOutput"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/static": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tools that the platform brings along
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `tools:read`.
         */
        get: operations["getToolsStatic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workflows
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:read`.
         */
        get: operations["getWorkflows"];
        put?: never;
        /**
         * Create a workflow
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:write`.
         */
        post: operations["postWorkflows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a workflow
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:read`.
         */
        get: operations["getWorkflowsById"];
        /**
         * Update a workflow
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:write`.
         */
        put: operations["putWorkflowsById"];
        post?: never;
        /**
         * Delete a workflow
         * @description Its executions go with it; those under way are cancelled.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:write`.
         */
        delete: operations["deleteWorkflowsById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a workflow
         * @description Returns at once; the execution is read or followed by its id.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:write`.
         */
        post: operations["postWorkflowsByIdExecute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the executions of a workflow
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:read`.
         */
        get: operations["getWorkflowsByIdExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/executions/{executionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an execution
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:read`.
         */
        get: operations["getWorkflowsByIdExecutionsByExecutionId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/executions/{executionId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a step that waits, or deliver the event that it waits for
         * @description For the owner, and the principals that the approval lists, to whom no more than the step is shown. 409 for a second decision and after the deadline.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:write`.
         */
        post: operations["postWorkflowsByIdExecutionsByExecutionIdApprove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/executions/{executionId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an execution
         * @description Stops the steps that are under way, and undoes those that have a compensation. Returns when it has ended, or with it as it is after 5 s; 409 for one that had ended before.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:write`.
         */
        post: operations["postWorkflowsByIdExecutionsByExecutionIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/executions/{executionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event to an execution
         * @description For the owner. A step that waits for it goes on with its data; an event that comes before its step is kept, and taken once. 400 where no step of the workflow takes it, 409 when the execution has ended or keeps too many.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:write`.
         */
        post: operations["postWorkflowsByIdExecutionsByExecutionIdEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/executions/{executionId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a step that waits
         * @description For the owner, and the principals that the approval lists, to whom no more than the step is shown. 409 for a second decision and after the deadline.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:write`.
         */
        post: operations["postWorkflowsByIdExecutionsByExecutionIdReject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/executions/{executionId}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow an execution
         * @description Ends with `completed`, `failed` or `cancelled`.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:read`.
         */
        get: operations["getWorkflowsByIdExecutionsByExecutionIdStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fork a workflow
         * @description Makes a private copy of one that the caller may read. What the caller may not use is left out of it and named in `cleared`.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:write`.
         */
        post: operations["postWorkflowsByIdFork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the webhook of a workflow
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:read`.
         */
        get: operations["getWorkflowsByIdWebhook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/webhook-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint or rotate the webhook token of a workflow
         * @description Enables the webhook. The token before it is refused from then on.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:write`.
         *
         *     Has a low rate limit of its own.
         *
         *     `token` and `secret` are shown in this reply alone; a repetition comes without it.
         */
        post: operations["postWorkflowsByIdWebhookToken"];
        /**
         * Disable the webhook of a workflow
         * @description Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:write`.
         *
         *     Has a low rate limit of its own.
         */
        delete: operations["deleteWorkflowsByIdWebhookToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List public workflows
         * @description Those of all projects; everyone may read and fork them.
         *
         *     Goes by ownership; a credential that was narrowed to a list of scopes needs `workflows:read`.
         */
        get: operations["getWorkflowsPublic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/webhooks/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a workflow by its webhook, or send an event to an execution
         * @description What the webhook makes an event of goes to the execution that waits for it; all else begins one. Takes JSON, a form or text, of 1 MiB at most. A delivery that is repeated under the same `webhook-id`, `idempotency-key` or `x-github-delivery` within a day begins nothing anew, and is taken once.
         *
         *     The path or the query is the credential.
         */
        post: operations["postWorkflowsWebhooksByToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** AccessibleTool */
        AccessibleTool: {
            /**
             * @description Of a static tool: its name
             * @example tool_01k4qz0000e0080000000000ab
             */
            id: string;
            /** @example get_weather */
            name: string;
            /**
             * @description `static`, `http`, `mcp`, or what packs add
             * @example http
             */
            kind: string;
            description: string;
            /** @description JSON Schema of an object */
            parameters: {
                [key: string]: unknown;
            };
            /** @description May be called again, with the same id, where an outcome is unknown */
            idempotent: boolean;
            owner: string | null;
            /** @description Agents may be offered it */
            available: boolean;
            unavailable: string | null;
            /** @description Counts edits; the ETag */
            version: number;
            createdAt: string | null;
            updatedAt: string | null;
            grant: components["schemas"]["ToolGrant"];
        };
        /** ActiveHours */
        ActiveHours: {
            /** @example 08:00 */
            from: string;
            /**
             * @description Not included; earlier than `from`: of the next day
             * @example 22:00
             */
            to: string;
            days?: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[] | null;
        };
        /** ActiveHours */
        ActiveHoursInput: {
            /** @example 08:00 */
            from: string;
            /**
             * @description Not included; earlier than `from`: of the next day
             * @example 22:00
             */
            to: string;
            days?: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[] | null;
        };
        /** Agent */
        Agent: {
            /** @example agent_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            /** @example Ada */
            name: string;
            instructions: string | null;
            modelProvider: string | null;
            modelId: string | null;
            temperature: number | null;
            maxTokens: number | null;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** AgentChanges */
        AgentChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            /** @example Ada */
            name?: string;
            instructions?: string | null;
            modelProvider?: string | null;
            modelId?: string | null;
            temperature?: number | null;
            maxTokens?: number | null;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
        };
        /** AgentMemorySettings */
        AgentMemorySettings: {
            agentId: string;
            /** @description Tokens that memories may take in the prompt of a run; 0: none are put there */
            contextTokens: number;
            /** @description Whether memories are extracted from a run after its end, by a call of the agent's model */
            extraction: boolean;
            /** @description Counts edits; the ETag */
            version: number;
            /** @description Null before the first edit */
            updatedAt: string | null;
        };
        /** AgentMemorySettingsChanges */
        AgentMemorySettingsChanges: {
            /** @description Accepted and ignored */
            readonly agentId?: unknown;
            /** @description Tokens that memories may take in the prompt of a run; 0: none are put there */
            contextTokens?: number;
            /** @description Whether memories are extracted from a run after its end, by a call of the agent's model */
            extraction?: boolean;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
        };
        /** AgentScope */
        AgentScope: {
            /** @example scope_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            name: string;
            description: string | null;
            /** @description Each agent once */
            agents: components["schemas"]["ScopeMember"][];
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /**
             * @description `write`: reads as well
             * @enum {unknown}
             */
            access: "read" | "write";
        };
        /** ApiKey */
        ApiKey: {
            /** @example key_01k4qz0000e0080000000000ab */
            id: string;
            name: string;
            /** @example apk_x7Kd */
            prefix: string;
            scopes: string[];
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            lastUsedAt: string | null;
            revokedAt: string | null;
        };
        /** ApprovalDecision */
        ApprovalDecision: {
            /** @enum {string} */
            decision: "approve" | "reject";
            /** @description Of a rejection: the model reads it */
            comment?: string;
            /**
             * @description Approves such calls for the rest of the session, while the tool stays as it is
             * @default false
             */
            forSession?: boolean;
        };
        /** AssistantMessage */
        AssistantMessage: {
            /** @example message_01k4qz0000e0080000000000ab */
            id: string;
            sessionId: string;
            runId: string | null;
            content: string;
            /** Format: date-time */
            createdAt: string;
            /** @constant */
            role: "assistant";
            /** @description What it asked for; `content` is what it said before */
            toolCalls: {
                callId: string;
                toolName: string;
                args: unknown;
            }[];
        };
        /** Avatar */
        Avatar: {
            agentId: string;
            owner: string;
            /** @description In bytes, of the WebP that was made of it */
            size: number;
            sha256: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** Beat */
        Beat: {
            /** @example beat_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            agentId: string;
            /** @enum {unknown} */
            trigger: "schedule" | "manual" | "external";
            /** @enum {unknown} */
            status: "starting" | "running" | "completed" | "failed" | "cancelled" | "skipped";
            reason: ("owner_disabled" | "outside_active_hours" | "backoff" | "daily_beats" | "daily_tokens" | "busy") | null;
            error: {
                code: string;
                message: string;
            } | null;
            runId: string | null;
            sessionId: string | null;
            silent: boolean | null;
            tokens: number | null;
            dueAt: string | null;
            /** Format: date-time */
            createdAt: string;
            endedAt: string | null;
        };
        /** ChatMessage */
        ChatMessage: {
            /** @enum {string} */
            role: "user" | "assistant" | "system";
            content: string;
        };
        /**
         * Citation
         * @description A passage that the answer stands on
         */
        Citation: {
            /** @description As the answer has it: `[n]` */
            n: number;
            spaceId: string | null;
            documentId: string | null;
            version: number | null;
            /** @description In the text of that version, in UTF-16 code units */
            start: number;
            /** @description Behind its last code unit */
            end: number;
            page: number | null;
            title: string;
            url: string | null;
        };
        /** CliTool */
        CliTool: {
            /** @example read_file */
            name: string;
            description?: string;
            /** @description JSON Schema of an object */
            parameters?: {
                [key: string]: unknown;
            };
        };
        /** CliToolResult */
        CliToolResult: {
            runId: string;
            callId: string;
            /** @description Any JSON */
            output: unknown;
            /** @default false */
            isError?: boolean;
        };
        /** CreatedApiKey */
        CreatedApiKey: {
            /** @example key_01k4qz0000e0080000000000ab */
            id: string;
            name: string;
            /** @example apk_x7Kd */
            prefix: string;
            scopes: string[];
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            lastUsedAt: string | null;
            revokedAt: string | null;
            /** @description The whole of it, here alone: absent where the reply is repeated */
            key?: string;
        };
        /**
         * DeadLetteredFact
         * @description A fact that the pack could not handle
         */
        DeadLetteredFact: {
            id: string;
            name: string;
            subject: string;
            attempts: number;
            error: string;
            /** Format: date-time */
            deadLetteredAt: string;
        };
        /** Deleted */
        Deleted: {
            id: string;
            /** @constant */
            deleted: true;
        };
        /** DeletedToolKey */
        DeletedToolKey: {
            id: string;
            /** @constant */
            deleted: true;
            mappings: {
                id: string;
                toolId: string;
                toolName: string;
            }[];
        };
        /** ElicitationAnswer */
        ElicitationAnswer: {
            /** @enum {string} */
            action: "accept" | "decline" | "cancel";
            /** @description Of `accept`: as the schema wants it */
            content?: {
                [key: string]: unknown;
            };
        };
        /** EmbeddingModelChoice */
        EmbeddingModelChoice: {
            /** @example openai */
            modelProvider: string;
            modelId: string | null;
            /**
             * @description Where the choice comes from
             * @enum {unknown}
             */
            source: "project" | "environment" | "default";
            /** @description Counts the project's choices, 0 before the first; the ETag */
            version: number;
            updatedAt: string | null;
        };
        /** EmbeddingModelChoiceReplacement */
        EmbeddingModelChoiceReplacement: {
            /** @example openai */
            modelProvider: string;
            modelId: string | null;
            /** @description Accepted and ignored */
            readonly source?: unknown;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
        };
        /** Error */
        Error: {
            error: {
                /** @enum {string} */
                type: "invalid_request_error" | "authentication_error" | "payment_required" | "permission_error" | "not_found" | "conflict_error" | "precondition_failed" | "request_too_large" | "unsupported_media_type" | "rate_limit_error" | "api_error" | "upstream_error" | "service_unavailable" | "upstream_timeout" | "insufficient_storage";
                message: string;
                /** @description What was wrong: a JSON pointer into the body, or the name of a parameter */
                param?: string;
                /** @description Tells causes of one type apart */
                code?: string;
                /** @description The same as in the header `x-request-id` */
                requestId: string;
            };
        };
        /**
         * EventRequest
         * @example {
         *       "event": "paid",
         *       "data": {
         *         "amount": 40,
         *         "currency": "EUR"
         *       }
         *     }
         */
        EventRequest: {
            /** @description The name that the step waits for */
            event: string;
            /** @description That of the step, where it waits for a key */
            key?: string;
            /** @description As the `schema` of the step has it; its output */
            data?: unknown;
        };
        /**
         * ExecuteRequest
         * @example {
         *       "input": {
         *         "name": "Ada"
         *       }
         *     }
         */
        ExecuteRequest: {
            /** @description As the inputSchema has it; default `{}` */
            input?: unknown;
        };
        /** Execution */
        Execution: {
            /** @example execution_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            workflowId: string;
            /** @description Which it began with, and keeps */
            workflowVersion: number;
            /**
             * @description `waiting`: it goes on when something comes: a decision, the end of a run, its time
             * @enum {unknown}
             */
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            error: components["schemas"]["ExecutionError"] | null;
            /** Format: date-time */
            createdAt: string;
            endedAt: string | null;
            parentId: string | null;
            input: unknown;
            /** @description Null until it has completed */
            output: unknown;
            cost: components["schemas"]["ExecutionCost"] | null;
            /** @description Those that began or were skipped, in that order */
            steps: components["schemas"]["ExecutionStep"][];
        };
        /**
         * ExecutionCost
         * @description As the runs of its agents reported them
         */
        ExecutionCost: {
            inputTokens: number;
            cachedTokens: number;
            outputTokens: number;
        };
        /** ExecutionError */
        ExecutionError: {
            /**
             * @example timed_out
             * @example outcome_unknown
             * @example rejected
             */
            code: string;
            /** @description Of an execution: with the path of the step that failed */
            message: string;
        };
        /**
         * ExecutionEvent
         * @description Further types may come: ignore those that you do not know. `keepalive` repeats the last `seq`.
         */
        ExecutionEvent: {
            /** @constant */
            type: "status";
            executionId: string;
            /** @description Counts the events of the execution, without gaps */
            seq: number;
            /**
             * @example queued
             * @example running
             * @example waiting
             * @example resumed
             * @example compensating
             */
            status: string;
            attempt?: number;
        } | {
            /** @constant */
            type: "step";
            executionId: string;
            /** @description Counts the events of the execution, without gaps */
            seq: number;
            stepId: string;
            path: string;
            /**
             * @example running
             * @example waiting
             * @example completed
             * @example failed
             * @example skipped
             * @example cancelled
             */
            status: string;
            attempt: number;
            error?: {
                code: string;
                message: string;
            };
        } | {
            /** @constant */
            type: "approval_request";
            executionId: string;
            /** @description Counts the events of the execution, without gaps */
            seq: number;
            stepId: string;
            path: string;
            deadline: string;
            message: unknown;
            /** @description JSON Schema of `data`, or null */
            form: unknown;
        } | {
            /** @constant */
            type: "event_request";
            executionId: string;
            /** @description Counts the events of the execution, without gaps */
            seq: number;
            stepId: string;
            path: string;
            deadline: string;
            event: string;
            key: string | null;
        } | {
            /** @constant */
            type: "completed";
            executionId: string;
            /** @description Counts the events of the execution, without gaps */
            seq: number;
            output: unknown;
        } | {
            /** @constant */
            type: "failed";
            executionId: string;
            /** @description Counts the events of the execution, without gaps */
            seq: number;
            code: string;
            message: string;
        } | {
            /** @constant */
            type: "cancelled";
            executionId: string;
            /** @description Counts the events of the execution, without gaps */
            seq: number;
        };
        /** ExecutionStep */
        ExecutionStep: {
            stepId: string;
            /**
             * @description Unique: a step inside of others, and what undoes one, has theirs before its own id
             * @example each[3].classify
             * @example pay.compensation
             */
            path: string;
            type: string;
            /** @enum {unknown} */
            status: "running" | "waiting" | "completed" | "failed" | "skipped" | "cancelled";
            /** @description The latest; 0 for one that was skipped */
            attempt: number;
            /** @description Its config, with the expressions evaluated */
            input: unknown;
            output: unknown;
            error: components["schemas"]["ExecutionError"] | null;
            cost: components["schemas"]["ExecutionCost"] | null;
            runId: string | null;
            executionId: string | null;
            decisions: components["schemas"]["StepDecision"][];
            deadline: string | null;
            /** Format: date-time */
            startedAt: string;
            endedAt: string | null;
        };
        /** ExecutionSummary */
        ExecutionSummary: {
            /** @example execution_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            workflowId: string;
            /** @description Which it began with, and keeps */
            workflowVersion: number;
            /**
             * @description `waiting`: it goes on when something comes: a decision, the end of a run, its time
             * @enum {unknown}
             */
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            error: components["schemas"]["ExecutionError"] | null;
            /** Format: date-time */
            createdAt: string;
            endedAt: string | null;
        };
        /** File */
        File: {
            /** @example file_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            /** @description As it was sent, without paths and control characters */
            name: string;
            /** @description By its bytes; by its sender only for kinds of text */
            mediaType: string;
            /** @description In bytes */
            size: number;
            /** @description 64 hexadecimal digits */
            sha256: string;
            /** Format: date-time */
            createdAt: string;
        };
        /** ForkedWorkflow */
        ForkedWorkflow: {
            /** @example workflow_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            name: string;
            description: string | null;
            /**
             * @description `public`: everyone may read and fork it; only its owner executes and changes it
             * @enum {unknown}
             */
            visibility: "private" | "public";
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            definition: components["schemas"]["WorkflowDefinition"];
            /** @description JSON pointers to what was left out, since the caller may not use it */
            cleared: string[];
        };
        /** FullSession */
        FullSession: {
            /** @example session_01k4qz0000e0080000000000ab */
            id: string;
            agentId: string;
            owner: string;
            /** @description Who began it */
            initiator: string;
            title: string | null;
            /**
             * @description Whatever the caller likes to keep with it, up to 16 KiB as JSON
             * @example {
             *       "channel": "web"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Counts edits, not messages; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description All of them, the oldest first */
            messages: components["schemas"]["SessionMessage"][];
        };
        /** GivenMessage */
        GivenMessage: {
            /** @example message_01k4qz0000e0080000000000ab */
            id: string;
            sessionId: string;
            runId: string | null;
            content: string;
            /** Format: date-time */
            createdAt: string;
            /** @enum {string} */
            role: "user" | "system";
            /** @description Came from outside; models are told to follow no instruction in it */
            untrusted?: boolean;
            /** @description Images that the model is shown */
            attachments?: {
                fileId: string;
            }[];
        };
        /** GivenSkillFile */
        GivenSkillFile: {
            /** @example references/fields.md */
            path: string;
            content?: string;
            /**
             * @description Of `content`
             * @default utf8
             * @enum {unknown}
             */
            encoding?: "utf8" | "base64";
            /** @description Of a file that is kept as it is */
            sha256?: string;
            /** @default false */
            executable?: boolean;
            /** @description Ignored */
            size?: number;
        };
        /** Goal */
        Goal: {
            /** @example goal_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            /** @description The agent that works towards it */
            agentId: string;
            title: string;
            description: string | null;
            /**
             * @description Left out: done at 100 per cent, else open
             * @enum {unknown}
             */
            status: "open" | "done" | "abandoned";
            /** @description Per cent done */
            progress: number;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** GoalChanges */
        GoalChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            /** @description Accepted and ignored */
            readonly agentId?: unknown;
            title?: string;
            description?: string | null;
            /**
             * @description Left out: done at 100 per cent, else open
             * @enum {unknown}
             */
            status?: "open" | "done" | "abandoned";
            /** @description Per cent done */
            progress?: number;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
        };
        /** Heartbeat */
        Heartbeat: {
            agentId: string;
            owner: string;
            enabled: boolean;
            intervalMinutes: number | null;
            cronExpression: string | null;
            /** @description An IANA time zone, such as `Europe/Berlin`: of the cron expression, the active hours, and the days of the caps */
            timezone: string;
            activeHours: components["schemas"]["ActiveHours"] | null;
            prompt: string | null;
            model: {
                modelProvider: string;
                modelId: string;
            } | null;
            sessionId: string | null;
            dailyBeats: number | null;
            dailyTokens: number | null;
            isolatedSessionId: string | null;
            nextBeatAt: string | null;
            lastBeat: components["schemas"]["Beat"] | null;
            /** @description Of the caps */
            today: {
                beats: number;
                tokens: number;
            };
            /** @description Beats in a row that failed */
            failures: number;
            backoffUntil: string | null;
            /** @description Counts edits, 0 before the first; the ETag */
            version: number;
            createdAt: string | null;
            updatedAt: string | null;
        };
        /**
         * HeartbeatChanges
         * @example {
         *       "enabled": true,
         *       "intervalMinutes": 30,
         *       "timezone": "Europe/Berlin",
         *       "activeHours": {
         *         "from": "08:00",
         *         "to": "20:00",
         *         "days": [
         *           "mon",
         *           "tue",
         *           "wed",
         *           "thu",
         *           "fri"
         *         ]
         *       },
         *       "prompt": "Look for new complaints, and answer those that nobody has answered."
         *     }
         */
        HeartbeatChanges: {
            /** @description Accepted and ignored */
            readonly agentId?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            enabled?: boolean;
            intervalMinutes?: number | null;
            cronExpression?: string | null;
            /** @description An IANA time zone, such as `Europe/Berlin`: of the cron expression, the active hours, and the days of the caps */
            timezone?: string;
            activeHours?: components["schemas"]["ActiveHoursInput"] | null;
            prompt?: string | null;
            model?: {
                modelProvider: string;
                modelId: string;
            } | null;
            sessionId?: string | null;
            dailyBeats?: number | null;
            dailyTokens?: number | null;
            /** @description Accepted and ignored */
            readonly isolatedSessionId?: unknown;
            /** @description Accepted and ignored */
            readonly nextBeatAt?: unknown;
            /** @description Accepted and ignored */
            readonly lastBeat?: unknown;
            /** @description Accepted and ignored */
            readonly today?: unknown;
            /** @description Accepted and ignored */
            readonly failures?: unknown;
            /** @description Accepted and ignored */
            readonly backoffUntil?: unknown;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
        };
        /** Identity */
        Identity: {
            /** @example ada@example.com */
            principalId: string;
            /** @enum {unknown} */
            principalType: "user" | "agent" | "service";
            project: string;
            /** @description To whom belongs what the caller makes */
            owner: string;
            initiator: string | null;
            scopes: string[];
            /** @description The credential has a list of scopes, so that routes by ownership need one too */
            narrowed: boolean;
        };
        /** KnowledgeDocument */
        KnowledgeDocument: {
            /** @example document_01k4qz0000e0080000000000ab */
            id: string;
            /** @description The space’s */
            owner: string;
            spaceId: string;
            folderId: string | null;
            name: string;
            title: string;
            /** @example guides/setup.md */
            path: string;
            /** @enum {unknown} */
            mediaType: "text/markdown" | "text/plain" | "text/html" | "text/csv" | "application/pdf" | "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
            fileId: string | null;
            /** @description SHA-256 of the text, in hexadecimal */
            hash: string;
            /** @description Bytes of the text as UTF-8 */
            size: number;
            /** @description Of its front matter and of its text */
            tags: string[];
            /**
             * @description `ready`: all of this version can be searched
             * @enum {unknown}
             */
            status: "ready" | "processing" | "failed";
            /** @description Per cent of it that can be searched */
            progress: number;
            error: {
                message: string;
                code: string;
            } | null;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The text */
            content: string;
        };
        /** KnowledgeDocumentChanges */
        KnowledgeDocumentChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            /** @description Accepted and ignored */
            readonly spaceId?: unknown;
            folderId?: string | null;
            name?: string;
            title?: string;
            /** @description Accepted and ignored */
            readonly path?: unknown;
            /** @description Accepted and ignored */
            readonly mediaType?: unknown;
            /** @description Accepted and ignored */
            readonly fileId?: unknown;
            /** @description Accepted and ignored */
            readonly hash?: unknown;
            /** @description Accepted and ignored */
            readonly size?: unknown;
            /** @description Accepted and ignored */
            readonly tags?: unknown;
            /** @description Accepted and ignored */
            readonly status?: unknown;
            /** @description Accepted and ignored */
            readonly progress?: unknown;
            /** @description Accepted and ignored */
            readonly error?: unknown;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
            /** @description The text */
            content?: string;
        };
        /** KnowledgeDocumentSummary */
        KnowledgeDocumentSummary: {
            /** @example document_01k4qz0000e0080000000000ab */
            id: string;
            /** @description The space’s */
            owner: string;
            spaceId: string;
            folderId: string | null;
            name: string;
            title: string;
            /** @example guides/setup.md */
            path: string;
            /** @enum {unknown} */
            mediaType: "text/markdown" | "text/plain" | "text/html" | "text/csv" | "application/pdf" | "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
            fileId: string | null;
            /** @description SHA-256 of the text, in hexadecimal */
            hash: string;
            /** @description Bytes of the text as UTF-8 */
            size: number;
            /** @description Of its front matter and of its text */
            tags: string[];
            /**
             * @description `ready`: all of this version can be searched
             * @enum {unknown}
             */
            status: "ready" | "processing" | "failed";
            /** @description Per cent of it that can be searched */
            progress: number;
            error: {
                message: string;
                code: string;
            } | null;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** KnowledgeFolder */
        KnowledgeFolder: {
            /** @example folder_01k4qz0000e0080000000000ab */
            id: string;
            /** @description The space’s */
            owner: string;
            spaceId: string;
            parentId: string | null;
            name: string;
            /** @example guides/setup */
            path: string;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** KnowledgeFolderChanges */
        KnowledgeFolderChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            /** @description Accepted and ignored */
            readonly spaceId?: unknown;
            parentId?: string | null;
            name?: string;
            /** @description Accepted and ignored */
            readonly path?: unknown;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
        };
        /** KnowledgeGrant */
        KnowledgeGrant: {
            /** @example grant_01k4qz0000e0080000000000ab */
            id: string;
            /** @description The space’s */
            owner: string;
            spaceId: string;
            /** @enum {unknown} */
            subjectType: "user" | "agent" | "service" | "project";
            /** @description Of a project: its id */
            subjectId: string;
            /**
             * @description Each holds the ones before it, for all folders and documents of the space
             * @enum {unknown}
             */
            level: "read" | "write" | "manage";
            grantedBy: string;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** KnowledgeGraph */
        KnowledgeGraph: {
            nodes: {
                id: string;
                title: string;
                path: string;
                tags: string[];
            }[];
            edges: {
                fromId: string;
                toId: string;
                /** @description Links from the one to the other */
                count: number;
            }[];
            /** @description Links that lead nowhere yet */
            unresolved: {
                /** @description Whose text has the link */
                documentId: string;
                target: string;
                label: string;
                count: number;
            }[];
            /** @description There is more than `limit` of something */
            truncated: boolean;
        };
        /** KnowledgeImport */
        KnowledgeImport: {
            /** @example import_01k4qz0000e0080000000000ab */
            id: string;
            /** @description The space’s */
            owner: string;
            spaceId: string;
            folderId: string | null;
            /**
             * @description `failed`: it could not go on; what was imported stays
             * @enum {unknown}
             */
            status: "running" | "completed" | "failed";
            /** @description Documents to import */
            total: number;
            /** @description Documents that are new */
            created: number;
            /** @description Documents with another text than before */
            updated: number;
            /** @description Documents that were there already */
            unchanged: number;
            /** @description Documents that could not be imported */
            failed: number;
            /** @description Files that are no documents */
            skipped: number;
            /** @description Of the first 100 that failed */
            errors: {
                path: string;
                message: string;
                code: string;
            }[];
            /** Format: date-time */
            createdAt: string;
            endedAt: string | null;
        };
        /** KnowledgePassage */
        KnowledgePassage: {
            spaceId: string;
            documentId: string | null;
            version: number | null;
            title: string;
            path: string | null;
            url: string | null;
            heading: string | null;
            /** @description In the text of that version, in UTF-16 code units */
            start: number;
            /** @description Behind its last code unit */
            end: number;
            page: number | null;
            text: string;
            /** @description Above 0, at most 1; comparable within one search */
            score: number;
            /** @description Words that were looked for, where `start` and `end` count */
            highlights: {
                start: number;
                end: number;
            }[];
        };
        /** KnowledgeProvider */
        KnowledgeProvider: {
            /**
             * @description What a space names as its `provider`
             * @example embedded
             */
            key: string;
            name: string;
            description: string;
            /** @description One that is not answers 503 */
            configured: boolean;
        };
        /** KnowledgeSpace */
        KnowledgeSpace: {
            /** @example space_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            name: string;
            description: string | null;
            /** @description What searches the space, as `GET /v1/knowledge/providers` lists it */
            provider: string;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /**
             * @description What the caller may do here
             * @enum {unknown}
             */
            access: "read" | "write" | "manage";
        };
        /** KnowledgeSpaceChanges */
        KnowledgeSpaceChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            name?: string;
            description?: string | null;
            /** @description What searches the space, as `GET /v1/knowledge/providers` lists it */
            provider?: string;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
            /** @description Accepted and ignored */
            readonly access?: unknown;
        };
        /** Knowledgebase */
        Knowledgebase: {
            agentId: string;
            owner: string;
            /** @description Stands in every prompt of the agent */
            content: string;
            /** @description Counts replacements, 0 before the first; the ETag */
            version: number;
            createdAt: string | null;
            updatedAt: string | null;
        };
        /** KnowledgebaseReplacement */
        KnowledgebaseReplacement: {
            /** @description Accepted and ignored */
            readonly agentId?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            /** @description Stands in every prompt of the agent */
            content: string;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
        };
        /**
         * Latency
         * @description Milliseconds
         */
        Latency: {
            requests: number;
            p50: number | null;
            p99: number | null;
        };
        /** LibraryGrant */
        LibraryGrant: {
            /** @example grant_01k4qz0000e0080000000000ab */
            id: string;
            /** @description The item’s */
            owner: string;
            itemId: string;
            /** @enum {unknown} */
            subjectType: "user" | "agent" | "service" | "project";
            /** @description Of a project: its id */
            subjectId: string;
            /**
             * @description Each holds the ones before it: `read` also previews and downloads, `write` renames and describes, `manage` deletes, shares and grants
             * @enum {unknown}
             */
            level: "read" | "write" | "manage";
            grantedBy: string;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** LibraryItem */
        LibraryItem: {
            /** @example item_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            name: string;
            description: string | null;
            /** @description By its bytes */
            mediaType: string;
            /** @description In bytes */
            size: number;
            favourite: boolean;
            origin: components["schemas"]["LibraryOrigin"];
            cid: string | null;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /**
             * @description What the caller may do with it
             * @enum {unknown}
             */
            access: "read" | "write" | "manage";
        };
        /** LibraryItemChanges */
        LibraryItemChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            name?: string;
            description?: string | null;
            /** @description Accepted and ignored */
            readonly mediaType?: unknown;
            /** @description Accepted and ignored */
            readonly size?: unknown;
            favourite?: boolean;
            /** @description Accepted and ignored */
            readonly origin?: unknown;
            /** @description Accepted and ignored */
            readonly cid?: unknown;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
            /** @description Accepted and ignored */
            readonly access?: unknown;
        };
        /** LibraryOrigin */
        LibraryOrigin: {
            /**
             * @description What it came from
             * @enum {unknown}
             */
            type: "upload" | "run" | "tool" | "code";
            /** @description Of the call or run that made it; of the file where that was uploaded */
            id: string;
        };
        /** MadeShareLink */
        MadeShareLink: {
            /** @example share_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            itemId: string;
            hasPassword: boolean;
            maxDownloads: number | null;
            /** @description So far */
            downloads: number;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Shown once */
            token: string;
            /** @description Shown once */
            url: string;
        };
        /** McpMarketplaceServer */
        McpMarketplaceServer: {
            /** @example io.github.modelcontextprotocol/filesystem */
            name: string;
            title: string | null;
            description: string;
            version: string | null;
            websiteUrl: string | null;
            repositoryUrl: string | null;
            /** @description Addresses that it answers at */
            remotes: {
                /**
                 * @example http
                 * @example sse
                 */
                transport: string;
                url: string;
            }[];
            /** @description What a deployment may allow as a command */
            packages: {
                /**
                 * @example npm
                 * @example pypi
                 * @example oci
                 */
                registry: string;
                identifier: string;
                version: string | null;
            }[];
            /** @enum {string} */
            source: "registry" | "catalogue";
        };
        /** McpPrompt */
        McpPrompt: {
            id: string;
            serverId: string;
            name: string;
            title: string | null;
            description: string | null;
            arguments: {
                name: string;
                description: string | null;
                required: boolean;
            }[];
            /** Format: date-time */
            createdAt: string;
        };
        /** McpRenderedPrompt */
        McpRenderedPrompt: {
            description: string | null;
            messages: {
                role: string;
                /** @description A content block of MCP */
                content: {
                    [key: string]: unknown;
                };
            }[];
        };
        /** McpResource */
        McpResource: {
            id: string;
            serverId: string;
            /** @enum {string} */
            type: "resource" | "template";
            /** @description Of a template: with places to fill, as RFC 6570 */
            uri: string;
            name: string;
            title: string | null;
            description: string | null;
            mimeType: string | null;
            size: number | null;
            /** Format: date-time */
            createdAt: string;
        };
        /** McpResourceContents */
        McpResourceContents: {
            contents: {
                uri: string;
                mimeType: string | null;
                text: string | null;
                blob: string | null;
            }[];
        };
        /** McpServer */
        McpServer: {
            /** @example mcpserver_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            name: string;
            /** @enum {unknown} */
            transport: "http" | "sse" | "stdio";
            url: string | null;
            command: string | null;
            /** @description What fills the open places of the command, in their order */
            args: string[];
            auth: components["schemas"]["McpServerAuth"];
            /** @enum {unknown} */
            status: "new" | "connected" | "disconnected" | "unauthorized" | "error";
            statusReason: string | null;
            lastSyncAt: string | null;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** McpServerAuth */
        McpServerAuth: {
            /** @enum {unknown} */
            type: "none" | "key" | "oauth";
            /** @description `key`: a tool key whose hosts include the server’s */
            keyId?: string;
            /** @description Header that a key is sent in; Authorization unless it is given */
            name?: string;
            /** @description Word before a key; Bearer in Authorization */
            scheme?: string;
            /** @description `oauth`: of a client registered by hand */
            clientId?: string;
            /** @description `oauth`: scopes to ask for */
            scope?: string;
            clientSecret?: {
                set: boolean;
            };
        };
        /** McpServerChanges */
        McpServerChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            name?: string;
            /** @enum {unknown} */
            transport?: "http" | "sse" | "stdio";
            url?: string | null;
            command?: string | null;
            /** @description What fills the open places of the command, in their order */
            args?: string[];
            auth?: components["schemas"]["NewMcpServerAuth"];
            /** @description Accepted and ignored */
            readonly status?: unknown;
            /** @description Accepted and ignored */
            readonly statusReason?: unknown;
            /** @description Accepted and ignored */
            readonly lastSyncAt?: unknown;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
        };
        /** McpServerConnection */
        McpServerConnection: {
            /** @example mcpserver_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            name: string;
            /** @enum {unknown} */
            transport: "http" | "sse" | "stdio";
            url: string | null;
            command: string | null;
            /** @description What fills the open places of the command, in their order */
            args: string[];
            auth: components["schemas"]["McpServerAuth"];
            /** @enum {unknown} */
            status: "new" | "connected" | "disconnected" | "unauthorized" | "error";
            statusReason: string | null;
            lastSyncAt: string | null;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            authorizationUrl: string | null;
        };
        /** McpServerStatus */
        McpServerStatus: {
            id: string;
            /** @enum {unknown} */
            status: "new" | "connected" | "disconnected" | "unauthorized" | "error";
            statusReason: string | null;
            lastSyncAt: string | null;
            /** @description Whether the instance that answers has a connection open */
            open: boolean;
            protocolVersion: string | null;
            server: {
                name: string;
                version: string;
            } | null;
            /** @description That the server offers */
            tools: number;
            /** @description Of these, what agents may be offered */
            available: number;
            /** @description Tools that wait for approval */
            pending: number;
        };
        /** McpSync */
        McpSync: {
            id: string;
            /** @description That the server offers */
            tools: number;
            resources: number;
            prompts: number;
            /** @description Tools that were not there before */
            added: number;
            /** @description Tools that are not as before, or are back */
            changed: number;
            /** @description Tools that were there as they are, and are approved by this */
            approved: number;
            /** @description Tools that are not there any more */
            gone: number;
            /** @description Tools that wait for approval */
            pending: number;
            /** @description What of its list was left out, and why */
            refused: string[];
            /** Format: date-time */
            lastSyncAt: string;
        };
        /** McpTool */
        McpTool: {
            /**
             * @description As in the list of tools
             * @example tool_01k4qz0000e0080000000000ab
             */
            id: string;
            owner: string;
            /** @example mcp */
            kind: string;
            /**
             * @description As agents call it
             * @example files__read
             */
            name: string;
            serverId: string;
            /**
             * @description As the server calls it
             * @example read
             */
            originalName: string;
            title: string | null;
            description: string;
            /** @description JSON Schema */
            parameters: {
                [key: string]: unknown;
            };
            outputSchema: {
                [key: string]: unknown;
            } | null;
            /** @description What the server claims of it */
            annotations: {
                [key: string]: unknown;
            };
            idempotent: boolean;
            /** @description Of its definition */
            digest: string;
            /** @description Its owner approved this very definition */
            approved: boolean;
            /** @description Agents may be offered it */
            available: boolean;
            unavailable: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** Memory */
        Memory: {
            /** @example memory_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            /** @description The agent that remembers it */
            agentId: string;
            /**
             * @description `fact`: what is so; `preference`: what somebody likes; `episode`: what happened; `instruction`: what the agent is to do
             * @enum {unknown}
             */
            type: "fact" | "preference" | "episode" | "instruction";
            /** @example The customer wants invoices by the fifth of the month. */
            content: string;
            /** @description How much it counts when memories are chosen */
            importance: number;
            /** Format: date-time */
            validFrom: string;
            validTo: string | null;
            source: {
                /** @description The run in which it was learned */
                runId: string;
                messageId: string | null;
            } | null;
            scopeId: string | null;
            supersedes: string | null;
            supersededBy: string | null;
            /** @description It may be made of what a tool returned: prompts show it as data, and follow no instruction in it */
            untrusted: boolean;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** MemoryChanges */
        MemoryChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            /** @description Accepted and ignored */
            readonly agentId?: unknown;
            /**
             * @description `fact`: what is so; `preference`: what somebody likes; `episode`: what happened; `instruction`: what the agent is to do
             * @enum {unknown}
             */
            type?: "fact" | "preference" | "episode" | "instruction";
            /** @example The customer wants invoices by the fifth of the month. */
            content?: string;
            /** @description How much it counts when memories are chosen */
            importance?: number;
            /** Format: date-time */
            validFrom?: string;
            validTo?: string | null;
            /** @description Accepted and ignored */
            readonly source?: unknown;
            /** @description Accepted and ignored */
            readonly scopeId?: unknown;
            /** @description Accepted and ignored */
            readonly supersedes?: unknown;
            /** @description Accepted and ignored */
            readonly supersededBy?: unknown;
            /** @description Accepted and ignored */
            readonly untrusted?: unknown;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
        };
        /** MemoryStats */
        MemoryStats: {
            agentId: string;
            /** @description Of those that are so now */
            total: number;
            types: {
                fact: number;
                preference: number;
                episode: number;
                instruction: number;
            };
            /** @description Those that are not so any more, or not yet */
            past: number;
            embedding: {
                model: string | null;
                /** @description Those that have a vector of it already; the others are found by their text */
                embedded: number;
                total: number;
            };
        };
        /** MintedWebhook */
        MintedWebhook: {
            workflowId: string;
            enabled: boolean;
            prefix: string | null;
            /** @description Deliveries must be signed, by the rules of Standard Webhooks */
            signed: boolean;
            /** @description Template of the execution’s input, with expressions over `body`, `headers`, `query` and `method`; null: the body is the input */
            mapping: unknown;
            event: components["schemas"]["WebhookEvent"] | null;
            createdAt: string | null;
            mintedAt: string | null;
            /** @description Stands in the path of deliveries. Shown once */
            token: string;
            secret: string | null;
        };
        /** Model */
        Model: {
            /** @example anthropic/claude-sonnet-5-5 */
            id: string;
            modelProvider: string;
            modelId: string;
            name: string;
            contextTokens: number | null;
            outputTokens: number | null;
            inputModalities: ("text" | "image")[] | null;
            /** @description What it can be asked for */
            modalities: ("language" | "embedding")[];
            dimensions: number | null;
            /** @description Whether the caller's project can use it; without a credential: every project */
            configured: boolean;
            /** @description The one for agents that name none; of those for vectors, the one that is asked */
            default: boolean;
        };
        /** ModelInfo */
        ModelInfo: {
            modelId: string;
            name: string;
            contextTokens: number | null;
            outputTokens: number | null;
            inputModalities: ("text" | "image")[] | null;
        };
        /** ModelProvider */
        ModelProvider: {
            /** @example anthropic */
            id: string;
            name: string;
            /** @description Whether the project can use it */
            configured: boolean;
            source: ("project" | "environment") | null;
            baseUrl: string | null;
            apiKey: {
                /** @description Whether the project gave one */
                set: boolean;
            };
            /** @description What it can be asked for */
            modalities: ("language" | "embedding")[];
            models: components["schemas"]["ModelInfo"][];
            /** @description Counts edits, 0 before the first; the ETag */
            version: number;
            updatedAt: string | null;
        };
        /** ModelProviderChanges */
        ModelProviderChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly name?: unknown;
            /** @description Accepted and ignored */
            readonly configured?: unknown;
            /** @description Accepted and ignored */
            readonly source?: unknown;
            baseUrl?: string | null;
            apiKey?: string | null | {
                /** @description Whether the project gave one */
                set: boolean;
            };
            /** @description Accepted and ignored */
            readonly modalities?: unknown;
            /** @description Accepted and ignored */
            readonly models?: unknown;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
        };
        /** NewAgent */
        NewAgent: {
            /** @example Ada */
            name: string;
            instructions?: string | null;
            modelProvider?: string | null;
            modelId?: string | null;
            temperature?: number | null;
            maxTokens?: number | null;
        };
        /** NewApiKey */
        NewApiKey: {
            /** @example Nightly report */
            name: string;
            /** @description A subset of the caller's; left out: what the caller's credential may */
            scopes?: string[];
        };
        /** NewGoal */
        NewGoal: {
            /** @description The agent that works towards it */
            agentId: string;
            title: string;
            description?: string | null;
            /**
             * @description Left out: done at 100 per cent, else open
             * @enum {unknown}
             */
            status?: "open" | "done" | "abandoned";
            /** @description Per cent done */
            progress?: number;
        };
        /** NewKnowledgeDocument */
        NewKnowledgeDocument: {
            title: string;
            /** @description The text */
            content: string;
            /** @description Its file name; left out: made from the title */
            name?: string;
            folderId?: string | null;
            /**
             * @description `text/markdown` or `text/plain`; files of other formats are imported
             * @default text/markdown
             * @enum {unknown}
             */
            mediaType?: "text/markdown" | "text/plain" | "text/html" | "text/csv" | "application/pdf" | "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
        };
        /** NewKnowledgeFolder */
        NewKnowledgeFolder: {
            name: string;
            parentId?: string | null;
        };
        /** NewKnowledgeGrant */
        NewKnowledgeGrant: {
            /** @enum {unknown} */
            subjectType: "user" | "agent" | "service" | "project";
            /** @description Of a project: its id */
            subjectId: string;
            /**
             * @description Each holds the ones before it, for all folders and documents of the space
             * @enum {unknown}
             */
            level: "read" | "write" | "manage";
        };
        /** NewKnowledgeSpace */
        NewKnowledgeSpace: {
            name: string;
            description?: string | null;
            /**
             * @description What searches the space, as `GET /v1/knowledge/providers` lists it
             * @default embedded
             */
            provider?: string;
        };
        /** NewLibraryGrant */
        NewLibraryGrant: {
            /** @enum {unknown} */
            subjectType: "user" | "agent" | "service" | "project";
            /** @description Of a project: its id */
            subjectId: string;
            /**
             * @description Each holds the ones before it: `read` also previews and downloads, `write` renames and describes, `manage` deletes, shares and grants
             * @enum {unknown}
             */
            level: "read" | "write" | "manage";
        };
        /** NewMcpServer */
        NewMcpServer: {
            name: string;
            /**
             * @default http
             * @enum {unknown}
             */
            transport?: "http" | "sse" | "stdio";
            /** @description Of a server reached by http or sse */
            url?: string;
            /** @description Of a server started by stdio: the name of a command that the deployment allows */
            command?: string;
            /** @description What fills the open places of the command, in their order */
            args?: string[];
            auth?: components["schemas"]["NewMcpServerAuth"];
        };
        /** NewMcpServerAuth */
        NewMcpServerAuth: {
            /** @enum {unknown} */
            type: "none" | "key" | "oauth";
            /** @description `key`: a tool key whose hosts include the server’s */
            keyId?: string;
            /** @description Header that a key is sent in; Authorization unless it is given */
            name?: string;
            /** @description Word before a key; Bearer in Authorization */
            scheme?: string;
            /** @description `oauth`: of a client registered by hand */
            clientId?: string;
            /** @description `oauth`: scopes to ask for */
            scope?: string;
            clientSecret?: string | {
                set: boolean;
            };
        };
        /** NewMemory */
        NewMemory: {
            /** @description The agent that remembers it */
            agentId: string;
            /** @example The customer wants invoices by the fifth of the month. */
            content: string;
            /**
             * @description `fact`: what is so; `preference`: what somebody likes; `episode`: what happened; `instruction`: what the agent is to do
             * @enum {unknown}
             */
            type?: "fact" | "preference" | "episode" | "instruction";
            /** @description How much it counts when memories are chosen */
            importance?: number;
            scopeId?: string | null;
            supersedes?: string | null;
            /**
             * Format: date-time
             * @description Since when it is so; left out: since now
             */
            validFrom?: string;
            validTo?: string | null;
        };
        /** NewPreferredConnection */
        NewPreferredConnection: {
            /** @description The agent to work with */
            peerAgentId: string;
            description?: string | null;
        };
        /** NewSession */
        NewSession: {
            /** @description The agent to talk with */
            agentId: string;
            title?: string | null;
            /**
             * @description Whatever the caller likes to keep with it, up to 16 KiB as JSON
             * @example {
             *       "channel": "web"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** NewShareLink */
        NewShareLink: {
            /**
             * Format: date-time
             * @description Within a year; default: in 7 days
             */
            expiresAt?: string;
            password?: string;
            maxDownloads?: number;
        };
        /** NewSharedScope */
        NewSharedScope: {
            name: string;
            description?: string | null;
            /** @description Each agent once */
            agents?: components["schemas"]["ScopeMemberInput"][];
        };
        /** NewSkill */
        NewSkill: {
            /**
             * @description Lowercase letters, digits, and single hyphens between them
             * @example pdf-forms
             */
            name: string;
            /** @description What the skill does and when to use it: all that an agent sees before it loads it */
            description: string;
            license?: string | null;
            compatibility?: string | null;
            /** @description More about it, for programs */
            metadata?: {
                [key: string]: string;
            };
            /** @description Tools that the skill counts on. Nothing is granted or approved by it */
            allowedTools?: string[];
            /** @description Further fields of the front matter, as they were, for other products */
            extensions?: {
                [key: string]: unknown;
            };
            /** @description Markdown: what to do when the skill is used */
            instructions?: string;
            /** @description Beside SKILL.md */
            files?: components["schemas"]["GivenSkillFile"][];
            /**
             * @description Lowercase letters, digits, and single hyphens between them
             * @example pdf-forms
             */
            slug?: string;
        };
        /**
         * NewTask
         * @example {
         *       "agentId": "agent_01k4qz0000e0080000000000ab",
         *       "title": "Write the report of the week",
         *       "cronExpression": "0 9 * * 1",
         *       "isRecurring": true,
         *       "timezone": "Europe/Berlin"
         *     }
         */
        NewTask: {
            title: string;
            agentId?: string | null;
            sessionId?: string | null;
            description?: string | null;
            /**
             * @description `single`: a run of the agent. `sequential`: the same, and the tasks of one session strictly in order. `workflow`: an execution of the workflow
             * @enum {unknown}
             */
            executionMode?: "single" | "sequential" | "workflow";
            workflowId?: string | null;
            input?: {
                [key: string]: unknown;
            } | null;
            cronExpression?: string | null;
            /** @description Runs at each time of `cronExpression`, which it needs */
            isRecurring?: boolean;
            scheduledFor?: string | null;
            timezone?: string | null;
            retry?: {
                /** @description The first one included */
                attempts: number;
                /** @description Before the second one; doubled with each attempt, up to a day */
                backoffSeconds: number;
            } | null;
        };
        /** NewTool */
        NewTool: {
            /** @example get_weather */
            name: string;
            /** @default http */
            kind?: string;
            /** @description What the model is told that it does */
            description: string;
            /** @description JSON Schema of an object; arguments are checked by it */
            parameters?: {
                [key: string]: unknown;
            };
            /** @description Of its kind */
            config: {
                [key: string]: unknown;
            };
            /** @default false */
            idempotent?: boolean;
        };
        /** NewToolAssignment */
        NewToolAssignment: {
            /** @description Its id or its name */
            toolId: string;
            /**
             * @description `ask`: each call is approved by a person
             * @default allow
             * @enum {string}
             */
            policy?: "allow" | "ask" | "deny";
            /** @default true */
            enabled?: boolean;
        };
        /** NewToolKey */
        NewToolKey: {
            name: string;
            description?: string | null;
            /** @description The secret: printable ASCII. Never shown again */
            value: string;
            /**
             * @description Host names, which are https, or `host:port`; it is sent nowhere else
             * @example [
             *       "api.example.com"
             *     ]
             */
            allowedHosts: string[];
        };
        /** NewToolKeyMapping */
        NewToolKeyMapping: {
            keyId: string;
            /** @description Id or name */
            toolId: string;
            /** @enum {string} */
            in: "header" | "query" | "body";
            /** @description Of the header, of the query, or of the body’s field */
            name: string;
        };
        /** NewToolKeyTest */
        NewToolKeyTest: {
            /** @description Default: that of a tool that the key is mapped to */
            url?: string;
            /**
             * @default GET
             * @enum {string}
             */
            method?: "GET" | "HEAD";
            /**
             * @description Default: as it is mapped, else `header`
             * @enum {string}
             */
            in?: "header" | "query";
            /** @description Default: as it is mapped, else `authorization` */
            name?: string;
        };
        /** NewToolPermission */
        NewToolPermission: {
            /** @description Its id or its name */
            toolId: string;
            /** @enum {string} */
            subjectType: "user" | "agent" | "service" | "project";
            /** @description Of a project: its id */
            subjectId: string;
            /** @enum {string} */
            level: "use" | "manage";
        };
        /** NewToolPermissions */
        NewToolPermissions: {
            grants: components["schemas"]["NewToolPermission"][];
        };
        /**
         * NewWebhook
         * @example {
         *       "secret": true,
         *       "mapping": {
         *         "text": "{{ body.message }}",
         *         "from": "{{ body.sender.email }}"
         *       }
         *     }
         * @example {
         *       "event": {
         *         "event": "{{ body.type }}",
         *         "key": "{{ body.order.id }}",
         *         "data": "{{ body.order }}"
         *       }
         *     }
         */
        NewWebhook: {
            /** @description true: mint one; false: deliveries need no signature; left out: as it was, at first without */
            secret?: boolean;
            /** @description Template of the execution’s input, with expressions over `body`, `headers`, `query` and `method`; null: the body is the input */
            mapping?: unknown;
            event?: components["schemas"]["WebhookEventInput"] | null;
        };
        /**
         * NewWorkflow
         * @example {
         *       "name": "Greeting",
         *       "definition": {
         *         "inputSchema": {
         *           "type": "object",
         *           "properties": {
         *             "name": {
         *               "type": "string"
         *             }
         *           },
         *           "required": [
         *             "name"
         *           ]
         *         },
         *         "steps": [
         *           {
         *             "id": "greet",
         *             "type": "agent",
         *             "config": {
         *               "agentId": "agent_01k4qz0000e0080000000000ab",
         *               "prompt": "Greet {{ input.name }}."
         *             }
         *           },
         *           {
         *             "id": "polish",
         *             "type": "transform",
         *             "dependsOn": [
         *               "greet"
         *             ],
         *             "config": {
         *               "value": "{{ $trim(steps.greet.output) }}"
         *             }
         *           }
         *         ],
         *         "output": "{{ steps.polish.output }}"
         *       }
         *     }
         */
        NewWorkflow: {
            name: string;
            definition: components["schemas"]["WorkflowDefinitionInput"];
            description?: string | null;
            /**
             * @description `public`: everyone may read and fork it; only its owner executes and changes it
             * @enum {unknown}
             */
            visibility?: "private" | "public";
        };
        /** OAuthClientMetadata */
        OAuthClientMetadata: {
            client_id: string;
            client_name: string;
            client_uri: string;
            redirect_uris: string[];
            grant_types: string[];
            response_types: string[];
            token_endpoint_auth_method: string;
        };
        /** OfferedTool */
        OfferedTool: {
            /**
             * @description Of a static tool: its name
             * @example tool_01k4qz0000e0080000000000ab
             */
            id: string;
            /** @example get_weather */
            name: string;
            description: string;
            /** @description JSON Schema of an object */
            parameters: {
                [key: string]: unknown;
            };
            idempotent: boolean;
            /** @enum {string} */
            policy: "allow" | "ask";
        };
        /** Pack */
        Pack: {
            /** @example goals */
            name: string;
            area: string | null;
            summary: string | null;
            /** @enum {unknown} */
            status: "running" | "off" | "failed" | "waiting for code";
            reason: string | null;
            enabled: {
                value: boolean;
                /**
                 * @description Where the value comes from, strongest first
                 * @enum {unknown}
                 */
                from: "environment" | "locked" | "table" | "file" | "default";
            };
            settings: {
                [key: string]: {
                    /** @description Of a secret: { "set": true } */
                    value: unknown;
                    /**
                     * @description Where the value comes from, strongest first
                     * @enum {unknown}
                     */
                    from: "environment" | "locked" | "table" | "file" | "default";
                };
            };
            requires: string[];
            uses: string[];
            digest: string | null;
            desiredDigest: string | null;
            instances: components["schemas"]["PackInstance"][];
            deadLettered: components["schemas"]["DeadLetteredFact"][];
        };
        /** PackChange */
        PackChange: {
            /** @example change_01k4qz0000e0080000000000ab */
            id: string;
            /** Format: date-time */
            at: string;
            /** @description `platform`: an instance by itself */
            actor: string;
            instance: number | null;
            /** @example goals */
            pack: string;
            /** @enum {unknown} */
            action: "enabled" | "disabled" | "configured" | "reloaded" | "installed" | "upgraded" | "removed";
            /** @enum {unknown} */
            outcome: "applied" | "refused";
            reason: string | null;
            fromDigest: string | null;
            toDigest: string | null;
            migrations: string[];
            buildMs: number | null;
            drained: number | null;
            dropped: number | null;
            before: components["schemas"]["Latency"] | null;
            after: components["schemas"]["Latency"] | null;
        };
        /** PackChanges */
        PackChanges: {
            enabled?: boolean;
            /** @description Merged by name; null goes back to the default */
            settings?: {
                [key: string]: unknown;
            };
        };
        /** PackInstance */
        PackInstance: {
            instance: number;
            /** @enum {unknown} */
            status: "running" | "off" | "failed" | "waiting for code";
            digest: string | null;
            reason: string | null;
            /** Format: date-time */
            at: string;
        };
        /**
         * PendingCall
         * @description A call that is made, or whose result is given, from outside
         */
        PendingCall: {
            /** @example call_01k4qz0000e0080000000000ab */
            callId: string;
            toolName: string;
            args: unknown;
            /** Format: date-time */
            deadline: string;
            /**
             * @description What is waited for: its result, by the caller, or a decision about it, by an owner
             * @enum {string}
             */
            for: "result" | "approval";
        };
        /**
         * PendingQuestion
         * @description A call whose tool asks before it goes on
         */
        PendingQuestion: {
            /** @example call_01k4qz0000e0080000000000ab */
            callId: string;
            toolName: string;
            args: unknown;
            /** Format: date-time */
            deadline: string;
            /** @constant */
            for: "elicitation";
            elicitationId: string;
            /** @description What the tool asks */
            message: string;
            /** @description JSON Schema of the content wanted */
            schema: {
                [key: string]: unknown;
            };
        };
        /** PreferredConnection */
        PreferredConnection: {
            /** @example connection_01k4qz0000e0080000000000ab */
            id: string;
            agentId: string;
            owner: string;
            peerAgentId: string;
            description: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        /** Provenance */
        Provenance: {
            itemId: string;
            origin: components["schemas"]["LibraryOrigin"];
            /** @description The latest first */
            chain: components["schemas"]["ProvenanceStep"][];
        };
        /** ProvenanceStep */
        ProvenanceStep: {
            /**
             * @description `file`, then what it came from
             * @example file
             * @example run
             * @example session
             */
            type: string;
            id: string;
            actor: string | null;
            at: string | null;
            sha256: string | null;
        };
        /**
         * PublicKey
         * @description A JSON Web Key
         */
        PublicKey: {
            kty: string;
            crv: string;
            x: string;
            kid: string;
            alg: string;
            use: string;
        };
        /** PublicKeySet */
        PublicKeySet: {
            keys: components["schemas"]["PublicKey"][];
        };
        /** ReceivedEvent */
        ReceivedEvent: {
            /** @example event_01k4qz0000e0080000000000ab */
            id: string;
            workflowId: string;
            executionId: string | null;
            event: string;
            key: string | null;
            /** @description A step goes on with it; else it is kept for one that will wait for it */
            taken: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        /** RemovedPack */
        RemovedPack: {
            /** @example goals */
            id: string;
            /** @constant */
            deleted: true;
            /** @description Settings that were forgotten, by name */
            settings: string[];
            /** @description Choices of projects that were forgotten */
            choices: number;
            /** @description Facts that waited for it or were dead-lettered */
            facts: number;
            /** @description Tables that were dropped */
            tables: string[];
            /** @description Migrations that are applied anew next time */
            migrations: string[];
        };
        /** ReplayedFact */
        ReplayedFact: {
            id: string;
            handled: boolean;
            error: string | null;
        };
        /** RetrievedMemory */
        RetrievedMemory: {
            /** @example memory_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            /** @description The agent that remembers it */
            agentId: string;
            /**
             * @description `fact`: what is so; `preference`: what somebody likes; `episode`: what happened; `instruction`: what the agent is to do
             * @enum {unknown}
             */
            type: "fact" | "preference" | "episode" | "instruction";
            /** @example The customer wants invoices by the fifth of the month. */
            content: string;
            /** @description How much it counts when memories are chosen */
            importance: number;
            /** Format: date-time */
            validFrom: string;
            validTo: string | null;
            source: {
                /** @description The run in which it was learned */
                runId: string;
                messageId: string | null;
            } | null;
            scopeId: string | null;
            supersedes: string | null;
            supersededBy: string | null;
            /** @description It may be made of what a tool returned: prompts show it as data, and follow no instruction in it */
            untrusted: boolean;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description 0.8 × relevance + 0.1 × recency + 0.1 × importance */
            score: number;
            why: {
                /** @description How well it fits: vectors and full text, fused by their ranks */
                relevance: number;
                vectorRank: number | null;
                textRank: number | null;
                /** @description Halves every 30 days */
                recency: number;
                importance: number;
            };
        };
        /** Run */
        Run: {
            /** @example run_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            sessionId: string;
            agentId: string;
            /** @enum {string} */
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            content: string | null;
            usage: components["schemas"]["RunUsage"];
            error: {
                message: string;
                code: string;
            } | null;
            pending: (components["schemas"]["PendingCall"] | components["schemas"]["PendingQuestion"])[];
            /** Format: date-time */
            createdAt: string;
            endedAt: string | null;
        };
        /**
         * RunEvent
         * @description Further types may come: ignore those that you do not know. `keepalive` repeats the last `seq`.
         */
        RunEvent: {
            /** @constant */
            type: "run_started";
            runId: string;
            /** @description Counts the events of the run, without gaps */
            seq: number;
            sessionId: string;
        } | {
            /** @constant */
            type: "agent_step";
            runId: string;
            /** @description Counts the events of the run, without gaps */
            seq: number;
            step: number;
            attempt: number;
        } | {
            /** @constant */
            type: "token";
            runId: string;
            /** @description Counts the events of the run, without gaps */
            seq: number;
            content: string;
            /** @enum {string} */
            phase: "commentary" | "final_answer";
        } | {
            /** @constant */
            type: "toolStart";
            runId: string;
            /** @description Counts the events of the run, without gaps */
            seq: number;
            callId: string;
            toolName: string;
            args: unknown;
        } | {
            /** @constant */
            type: "toolProgress";
            runId: string;
            /** @description Counts the events of the run, without gaps */
            seq: number;
            callId: string;
            output: string;
        } | {
            /** @constant */
            type: "toolEnd";
            runId: string;
            /** @description Counts the events of the run, without gaps */
            seq: number;
            callId: string;
            toolName: string;
            output: unknown;
            isError: boolean;
        } | {
            /** @constant */
            type: "status";
            runId: string;
            /** @description Counts the events of the run, without gaps */
            seq: number;
            /**
             * @example queued
             * @example running
             * @example waiting
             * @example resumed
             * @example restarted
             * @example commentary
             */
            status: string;
            step?: number;
            attempt?: number;
            /** @description The `seq` of the first and last event whose text no longer counts */
            supersedes?: {
                from: number;
                to: number;
            };
            /** @description Of `commentary`: the `seq` of the first and last event whose text was said before calls of tools, and so is no answer */
            covers?: {
                from: number;
                to: number;
            };
        } | {
            /** @constant */
            type: "cli_tool_request";
            runId: string;
            /** @description Counts the events of the run, without gaps */
            seq: number;
            /** @example call_01k4qz0000e0080000000000ab */
            callId: string;
            toolName: string;
            args: unknown;
            /** Format: date-time */
            deadline: string;
        } | {
            /** @constant */
            type: "approval_request";
            runId: string;
            /** @description Counts the events of the run, without gaps */
            seq: number;
            /** @example call_01k4qz0000e0080000000000ab */
            callId: string;
            toolName: string;
            args: unknown;
            /** Format: date-time */
            deadline: string;
        } | {
            /** @constant */
            type: "elicitation_request";
            runId: string;
            /** @description Counts the events of the run, without gaps */
            seq: number;
            elicitationId: string;
            callId: string;
            message: string;
            /** @description JSON Schema of the content wanted */
            schema: unknown;
            deadline: string;
        } | {
            /** @constant */
            type: "final";
            runId: string;
            /** @description Counts the events of the run, without gaps */
            seq: number;
            sessionId: string;
            content: string;
            usage: components["schemas"]["RunUsage"];
            /** @description Left out where nothing is cited */
            citations?: components["schemas"]["Citation"][];
        } | {
            /** @constant */
            type: "error";
            runId: string;
            /** @description Counts the events of the run, without gaps */
            seq: number;
            message: string;
            code: string;
        } | {
            /** @constant */
            type: "cancelled";
            runId: string;
            /** @description Counts the events of the run, without gaps */
            seq: number;
        };
        /** RunRequest */
        RunRequest: {
            /** @example agent_01k4qz0000e0080000000000ab */
            agentId: string;
            /** @description Appended to the session; its history need not be sent again */
            messages: components["schemas"]["ChatMessage"][];
            /** @description The session to continue; left out: a new one */
            sessionId?: string;
            /**
             * @description While the session has another run
             * @default enqueue
             * @enum {string}
             */
            multitaskStrategy?: "enqueue" | "reject" | "interrupt" | "rollback";
            attachments?: {
                fileId: string;
            }[];
            provenance?: {
                /** @enum {string} */
                mode?: "off" | "metadata" | "full";
                onchain?: boolean;
            };
            computerRequest?: {
                enabled: boolean;
            };
            /** @description Tools that the caller executes itself. One with the name of a tool of the agent takes its place in this run */
            cliTools?: components["schemas"]["CliTool"][];
            /** @description Appended to the system prompt */
            cliContext?: string;
        };
        /**
         * RunUsage
         * @description What providers reported: of a reply that was cut, most report nothing, and it is not among these numbers
         */
        RunUsage: {
            /** @description Of all calls of the model */
            inputTokens: number;
            /** @description Of the input, those that the provider had cached */
            cachedTokens: number;
            /** @description Of all replies */
            outputTokens: number;
        };
        /** ScopeMember */
        ScopeMember: {
            agentId: string;
            /**
             * @description `write`: reads as well
             * @enum {unknown}
             */
            access: "read" | "write";
        };
        /** ScopeMember */
        ScopeMemberInput: {
            agentId: string;
            /**
             * @description `write`: reads as well
             * @enum {unknown}
             */
            access: "read" | "write";
        };
        /** Session */
        Session: {
            /** @example session_01k4qz0000e0080000000000ab */
            id: string;
            agentId: string;
            owner: string;
            /** @description Who began it */
            initiator: string;
            title: string | null;
            /**
             * @description Whatever the caller likes to keep with it, up to 16 KiB as JSON
             * @example {
             *       "channel": "web"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Counts edits, not messages; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** SessionChanges */
        SessionChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly agentId?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            /** @description Accepted and ignored */
            readonly initiator?: unknown;
            title?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
            /** @description Accepted and ignored */
            readonly messages?: unknown;
        };
        /** SessionMessage */
        SessionMessage: components["schemas"]["GivenMessage"] | components["schemas"]["AssistantMessage"] | components["schemas"]["ToolMessage"];
        /** SharedScope */
        SharedScope: {
            /** @example scope_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            name: string;
            description: string | null;
            /** @description Each agent once */
            agents: components["schemas"]["ScopeMember"][];
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** SharedScopeChanges */
        SharedScopeChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            name?: string;
            description?: string | null;
            /** @description Each agent once */
            agents?: components["schemas"]["ScopeMemberInput"][];
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
        };
        /** SignedDownload */
        SignedDownload: {
            url: string;
            /** Format: date-time */
            expiresAt: string;
        };
        /** Skill */
        Skill: {
            /** @example skill_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            /**
             * @description Its name in addresses and prompts, once in a project
             * @example pdf-forms
             */
            slug: string;
            /**
             * @description Lowercase letters, digits, and single hyphens between them
             * @example pdf-forms
             */
            name: string;
            /** @description What the skill does and when to use it: all that an agent sees before it loads it */
            description: string;
            license: string | null;
            compatibility: string | null;
            /** @description More about it, for programs */
            metadata: {
                [key: string]: string;
            };
            /** @description Tools that the skill counts on. Nothing is granted or approved by it */
            allowedTools: string[];
            /** @description Further fields of the front matter, as they were, for other products */
            extensions: {
                [key: string]: unknown;
            };
            /** @enum {unknown} */
            origin: "created" | "imported";
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Markdown: what to do when the skill is used */
            instructions: string;
            files: components["schemas"]["SkillFile"][];
        };
        /** SkillAttachment */
        SkillAttachment: {
            skillId: string;
            agentId: string;
            /** @description False takes it away */
            attached: boolean;
        };
        /** SkillAttachmentChanges */
        SkillAttachmentChanges: {
            /** @description False takes it away */
            attached: boolean;
        };
        /** SkillChanges */
        SkillChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            /**
             * @description Its name in addresses and prompts, once in a project
             * @example pdf-forms
             */
            slug?: string;
            /**
             * @description Lowercase letters, digits, and single hyphens between them
             * @example pdf-forms
             */
            name?: string;
            /** @description What the skill does and when to use it: all that an agent sees before it loads it */
            description?: string;
            license?: string | null;
            compatibility?: string | null;
            /** @description More about it, for programs */
            metadata?: {
                [key: string]: string;
            };
            /** @description Tools that the skill counts on. Nothing is granted or approved by it */
            allowedTools?: string[];
            /** @description Further fields of the front matter, as they were, for other products */
            extensions?: {
                [key: string]: unknown;
            };
            /** @description Accepted and ignored */
            readonly origin?: unknown;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
            /** @description Markdown: what to do when the skill is used */
            instructions?: string;
            /** @description Beside SKILL.md */
            files?: components["schemas"]["GivenSkillFile"][];
        };
        /** SkillFile */
        SkillFile: {
            /** @example references/fields.md */
            path: string;
            /**
             * @description `base64`: it is no text
             * @enum {unknown}
             */
            encoding: "utf8" | "base64";
            /** @description Bytes */
            size: number;
            /** @description Of its bytes, in hexadecimal */
            sha256: string;
            executable: boolean;
        };
        /** SkillIndexEntry */
        SkillIndexEntry: {
            /** @example skill_01k4qz0000e0080000000000ab */
            id: string;
            /**
             * @description Its name in addresses and prompts, once in a project
             * @example pdf-forms
             */
            slug: string;
            /**
             * @description Lowercase letters, digits, and single hyphens between them
             * @example pdf-forms
             */
            name: string;
            /** @description What the skill does and when to use it: all that an agent sees before it loads it */
            description: string;
            /** @description Counts edits; the ETag */
            version: number;
        };
        /** SkillSummary */
        SkillSummary: {
            /** @example skill_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            /**
             * @description Its name in addresses and prompts, once in a project
             * @example pdf-forms
             */
            slug: string;
            /**
             * @description Lowercase letters, digits, and single hyphens between them
             * @example pdf-forms
             */
            name: string;
            /** @description What the skill does and when to use it: all that an agent sees before it loads it */
            description: string;
            license: string | null;
            compatibility: string | null;
            /** @description More about it, for programs */
            metadata: {
                [key: string]: string;
            };
            /** @description Tools that the skill counts on. Nothing is granted or approved by it */
            allowedTools: string[];
            /** @description Further fields of the front matter, as they were, for other products */
            extensions: {
                [key: string]: unknown;
            };
            /** @enum {unknown} */
            origin: "created" | "imported";
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * StepCompensation
         * @description Undoes the completed step when the execution fails or is cancelled
         */
        StepCompensation: {
            type: string;
            /**
             * @description By type:
             *
             *     - `agent` `{ agentId, prompt, sessionId?, output?, model? }`: a run of the agent; its answer, as text or by the JSON Schema `output`
             *     - `tool` `{ agentId, tool, args? }`: a call of a tool (its name or id) that the agent has; what the tool gives
             *     - `condition` `{ if, then?, else? }`: goes on with the steps that `then` or `else` names; true or false
             *     - `parallel` `{ steps }`: steps of its own, side by side; the outputs of the last of them, by id
             *     - `forEach` `{ items, concurrency?, steps, output? }`: steps of its own for each of `items`, which they see as `item` and `index`; a list, of `output` for each
             *     - `wait` `{ seconds?, until?, event?, key?, schema?, timeoutSeconds? }`: for one of `seconds`, `until` and `event`, where it may ask for a `key`, and for data by the JSON Schema `schema`; nothing, or the data of the event
             *     - `approval` `{ message, principals?, count?, deadlineSeconds?, form?, onReject? }`: for decisions of the owner and `principals`, with data by the JSON Schema `form`; `approved`, `data`, `decisions`
             *     - `workflow` `{ workflowId, input? }`: an execution of another workflow; its output
             *     - `transform` `{ value }`: the value
             *
             *     Strings may hold expressions in JSONata: `{{ input.amount > 10 }}`
             */
            config: {
                [key: string]: unknown;
            };
        };
        /**
         * StepCompensation
         * @description Undoes the completed step when the execution fails or is cancelled
         */
        StepCompensationInput: {
            type: string;
            /**
             * @description By type:
             *
             *     - `agent` `{ agentId, prompt, sessionId?, output?, model? }`: a run of the agent; its answer, as text or by the JSON Schema `output`
             *     - `tool` `{ agentId, tool, args? }`: a call of a tool (its name or id) that the agent has; what the tool gives
             *     - `condition` `{ if, then?, else? }`: goes on with the steps that `then` or `else` names; true or false
             *     - `parallel` `{ steps }`: steps of its own, side by side; the outputs of the last of them, by id
             *     - `forEach` `{ items, concurrency?, steps, output? }`: steps of its own for each of `items`, which they see as `item` and `index`; a list, of `output` for each
             *     - `wait` `{ seconds?, until?, event?, key?, schema?, timeoutSeconds? }`: for one of `seconds`, `until` and `event`, where it may ask for a `key`, and for data by the JSON Schema `schema`; nothing, or the data of the event
             *     - `approval` `{ message, principals?, count?, deadlineSeconds?, form?, onReject? }`: for decisions of the owner and `principals`, with data by the JSON Schema `form`; `approved`, `data`, `decisions`
             *     - `workflow` `{ workflowId, input? }`: an execution of another workflow; its output
             *     - `transform` `{ value }`: the value
             *
             *     Strings may hold expressions in JSONata: `{{ input.amount > 10 }}`
             */
            config: {
                [key: string]: unknown;
            };
        };
        /** StepDecision */
        StepDecision: {
            /** @description The principal */
            by: string;
            /** @enum {unknown} */
            decision: "approve" | "reject";
            comment: string | null;
            data: unknown;
            /** Format: date-time */
            at: string;
        };
        /**
         * StepDecisionRequest
         * @example {
         *       "comment": "Looks right",
         *       "data": {
         *         "percent": 50
         *       }
         *     }
         */
        StepDecisionRequest: {
            /** @description Its id or path; needed where several steps wait */
            stepId?: string;
            comment?: string;
            /** @description As the form of the approval has it; of an event: what came */
            data?: unknown;
        };
        /** StepOnError */
        StepOnError: "fail" | "continue" | {
            /**
             * @description Letters, digits and `_`. Unique in the whole definition, steps inside of steps included
             * @example classify
             */
            step: string;
        };
        /** StepOnError */
        StepOnErrorInput: "fail" | "continue" | {
            /**
             * @description Letters, digits and `_`. Unique in the whole definition, steps inside of steps included
             * @example classify
             */
            step: string;
        };
        /** StepRetry */
        StepRetry: {
            /** @description The first one included */
            attempts: number;
            /**
             * @description Doubled with each attempt
             * @default 1
             */
            backoffSeconds?: number;
        };
        /** StepRetry */
        StepRetryInput: {
            /** @description The first one included */
            attempts: number;
            /**
             * @description Doubled with each attempt
             * @default 1
             */
            backoffSeconds?: number;
        };
        /** StoragePreference */
        StoragePreference: {
            owner: string;
            /**
             * @description `content-addressed`: items also have a CID, by which a content-addressed network knows the same bytes
             * @enum {unknown}
             */
            storage: "object" | "content-addressed";
            /** @description Counts edits; the ETag; 0 before the first one */
            version: number;
            updatedAt: string | null;
        };
        /** StoragePreferenceChanges */
        StoragePreferenceChanges: {
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            /**
             * @description `content-addressed`: items also have a CID, by which a content-addressed network knows the same bytes
             * @enum {unknown}
             */
            storage?: "object" | "content-addressed";
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
        };
        /** Task */
        Task: {
            /** @example task_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            agentId: string | null;
            sessionId: string | null;
            title: string;
            description: string | null;
            /**
             * @description `single`: a run of the agent. `sequential`: the same, and the tasks of one session strictly in order. `workflow`: an execution of the workflow
             * @enum {unknown}
             */
            executionMode: "single" | "sequential" | "workflow";
            workflowId: string | null;
            input: {
                [key: string]: unknown;
            } | null;
            cronExpression: string | null;
            /** @description Runs at each time of `cronExpression`, which it needs */
            isRecurring: boolean;
            scheduledFor: string | null;
            timezone: string | null;
            retry: {
                /** @description The first one included */
                attempts: number;
                /** @description Before the second one; doubled with each attempt, up to a day */
                backoffSeconds: number;
            } | null;
            /**
             * @description `scheduled`: nothing is under way; `nextRunAt` says when it runs, null: when it is executed by hand. `queued`, `running`, `waiting` (for a person or the outside): its newest run. The others: how that ended, and no more is scheduled
             * @enum {unknown}
             */
            status: "scheduled" | "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            nextRunAt: string | null;
            lastRunAt: string | null;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** TaskChanges */
        TaskChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            agentId?: string | null;
            sessionId?: string | null;
            title?: string;
            description?: string | null;
            /**
             * @description `single`: a run of the agent. `sequential`: the same, and the tasks of one session strictly in order. `workflow`: an execution of the workflow
             * @enum {unknown}
             */
            executionMode?: "single" | "sequential" | "workflow";
            workflowId?: string | null;
            input?: {
                [key: string]: unknown;
            } | null;
            cronExpression?: string | null;
            /** @description Runs at each time of `cronExpression`, which it needs */
            isRecurring?: boolean;
            scheduledFor?: string | null;
            timezone?: string | null;
            retry?: {
                /** @description The first one included */
                attempts: number;
                /** @description Before the second one; doubled with each attempt, up to a day */
                backoffSeconds: number;
            } | null;
            /** @description Accepted and ignored */
            readonly status?: unknown;
            /** @description Accepted and ignored */
            readonly nextRunAt?: unknown;
            /** @description Accepted and ignored */
            readonly lastRunAt?: unknown;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
        };
        /** TaskEvent */
        TaskEvent: {
            /** @constant */
            type: "status";
            taskRunId: string;
            seq: number;
            /** @enum {unknown} */
            status: "queued" | "running" | "waiting" | "retrying";
            attempt?: number;
            runId?: string;
            executionId?: string;
            sessionId?: string;
            /**
             * Format: date-time
             * @description Of `retrying`: not before
             */
            at?: string;
            error?: {
                code: string;
                message: string;
            };
        } | {
            /** @constant */
            type: "completed";
            taskRunId: string;
            seq: number;
            output: unknown;
        } | {
            /** @constant */
            type: "failed";
            taskRunId: string;
            seq: number;
            error: {
                code: string;
                message: string;
            };
        } | {
            /** @constant */
            type: "cancelled";
            taskRunId: string;
            seq: number;
        } | {
            /** @constant */
            type: "keepalive";
            taskRunId: string;
            seq: number;
        };
        /** TaskReplacement */
        TaskReplacement: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            agentId?: string | null;
            sessionId?: string | null;
            title: string;
            description?: string | null;
            /**
             * @description `single`: a run of the agent. `sequential`: the same, and the tasks of one session strictly in order. `workflow`: an execution of the workflow
             * @enum {unknown}
             */
            executionMode?: "single" | "sequential" | "workflow";
            workflowId?: string | null;
            input?: {
                [key: string]: unknown;
            } | null;
            cronExpression?: string | null;
            /** @description Runs at each time of `cronExpression`, which it needs */
            isRecurring?: boolean;
            scheduledFor?: string | null;
            timezone?: string | null;
            retry?: {
                /** @description The first one included */
                attempts: number;
                /** @description Before the second one; doubled with each attempt, up to a day */
                backoffSeconds: number;
            } | null;
            /** @description Accepted and ignored */
            readonly status?: unknown;
            /** @description Accepted and ignored */
            readonly nextRunAt?: unknown;
            /** @description Accepted and ignored */
            readonly lastRunAt?: unknown;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
        };
        /** TaskRun */
        TaskRun: {
            /** @example taskrun_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            taskId: string;
            /**
             * @description `queued`: due, or to be tried again, or it stands behind another one of its session
             * @enum {unknown}
             */
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            /**
             * @description What made it
             * @enum {unknown}
             */
            trigger: "schedule" | "manual";
            /** @description From 1; more after failures, as `retry` of the task says */
            attempt: number;
            runId: string | null;
            executionId: string | null;
            sessionId: string | null;
            input: {
                [key: string]: unknown;
            } | null;
            /** @description What the workflow gave; of an agent `{ content }`; null before the end */
            output: unknown;
            error: {
                code: string;
                message: string;
            } | null;
            scheduledFor: string | null;
            startedAt: string | null;
            endedAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        /** TaskTime */
        TaskTime: {
            scheduledFor: string | null;
        };
        /** Tool */
        Tool: {
            /**
             * @description Of a static tool: its name
             * @example tool_01k4qz0000e0080000000000ab
             */
            id: string;
            /** @example get_weather */
            name: string;
            /**
             * @description `static`, `http`, `mcp`, or what packs add
             * @example http
             */
            kind: string;
            description: string;
            /** @description JSON Schema of an object */
            parameters: {
                [key: string]: unknown;
            };
            /** @description Of its kind */
            config: {
                [key: string]: unknown;
            };
            /** @description May be called again, with the same id, where an outcome is unknown */
            idempotent: boolean;
            owner: string | null;
            /** @description Agents may be offered it */
            available: boolean;
            unavailable: string | null;
            /** @description Counts edits; the ETag */
            version: number;
            createdAt: string | null;
            updatedAt: string | null;
        };
        /** ToolAgentCheck */
        ToolAgentCheck: {
            allowed: boolean;
            /**
             * @description The first condition that fails; principal, agent: who may not use the tool
             * @enum {string}
             */
            reason: "allowed" | "not_assigned" | "disabled" | "denied" | "principal" | "agent" | "unavailable";
            policy: ("allow" | "ask" | "deny") | null;
            principal: components["schemas"]["ToolGrant"] | null;
            agent: components["schemas"]["ToolGrant"] | null;
        };
        /** ToolAssignment */
        ToolAssignment: {
            /** @example assign_01k4qz0000e0080000000000ab */
            id: string;
            /** @description The agent’s */
            owner: string;
            agentId: string;
            /** @description Of a static tool: its name */
            toolId: string;
            toolName: string;
            /**
             * @description `ask`: each call is approved by a person
             * @enum {string}
             */
            policy: "allow" | "ask" | "deny";
            enabled: boolean;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** ToolAssignmentChanges */
        ToolAssignmentChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            /** @description Accepted and ignored */
            readonly agentId?: unknown;
            /** @description Accepted and ignored */
            readonly toolId?: unknown;
            /** @description Accepted and ignored */
            readonly toolName?: unknown;
            /**
             * @description `ask`: each call is approved by a person
             * @enum {string}
             */
            policy?: "allow" | "ask" | "deny";
            enabled?: boolean;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
        };
        /** ToolCall */
        ToolCall: {
            /** @example call_01k4qz0000e0080000000000ab */
            id: string;
            /** @description The agent’s; or for whom a service made it */
            owner: string;
            agentId: string;
            runId: string | null;
            toolId: string;
            toolName: string;
            kind: string;
            /** @description On whose behalf */
            actor: {
                id: string;
                type: string;
            };
            grants: {
                principal: {
                    /** @example ownership */
                    reason: string;
                    level: string;
                    permissionId: string | null;
                } | null;
                agent: {
                    /** @example ownership */
                    reason: string;
                    level: string;
                    permissionId: string | null;
                } | null;
            };
            /** @description Keys that were injected into it */
            keyIds: string[];
            /** @description It was approved */
            approved: boolean;
            /**
             * @description `unknown`: what came of it was not seen
             * @enum {string}
             */
            status: "running" | "succeeded" | "failed" | "unknown";
            size: number | null;
            milliseconds: number | null;
            /** Format: date-time */
            createdAt: string;
            endedAt: string | null;
        };
        /** ToolCallRequest */
        ToolCallRequest: {
            /** @example agent_01k4qz0000e0080000000000ab */
            agentId: string;
            /** @description Name or id of a tool of the agent */
            toolName: string;
            /** @description As the parameters of the tool want them; left out: `{}` */
            args?: unknown;
        };
        /** ToolChanges */
        ToolChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @example get_weather */
            name?: string;
            /** @description Accepted and ignored */
            readonly kind?: unknown;
            /** @description What the model is told that it does */
            description?: string;
            /** @description JSON Schema of an object; arguments are checked by it */
            parameters?: {
                [key: string]: unknown;
            };
            /** @description Of its kind */
            config?: {
                [key: string]: unknown;
            };
            /** @description May be called again, with the same id, where an outcome is unknown */
            idempotent?: boolean;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            /** @description Accepted and ignored */
            readonly available?: unknown;
            /** @description Accepted and ignored */
            readonly unavailable?: unknown;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
            /** @description Accepted and ignored */
            readonly grant?: unknown;
        };
        /** ToolCheck */
        ToolCheck: {
            allowed: boolean;
            /**
             * @description level: what was granted does not suffice
             * @enum {string}
             */
            reason: "static" | "ownership" | "inheritance" | "grant" | "level" | "none";
            permissionId: string | null;
            level: ("use" | "manage") | null;
        };
        /** ToolGrant */
        ToolGrant: {
            /**
             * @description inheritance: an agent uses what its owner may use
             * @enum {string}
             */
            reason: "static" | "ownership" | "inheritance" | "grant";
            /** @enum {string} */
            level: "use" | "manage";
            permissionId: string | null;
        };
        /** ToolInvocation */
        ToolInvocation: {
            /** @description Name or id of a tool of the agent */
            toolName: string;
            /** @description As the parameters of the tool want them; left out: `{}` */
            args?: unknown;
        };
        /** ToolKey */
        ToolKey: {
            /** @example tkey_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            name: string;
            description: string | null;
            /** @description Host names, or `host:port`, that it may be sent to */
            allowedHosts: string[];
            /** @description Its first characters, to tell it from others */
            prefix: string;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            rotatedAt: string | null;
        };
        /** ToolKeyChanges */
        ToolKeyChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            name?: string;
            description?: string | null;
            /**
             * @description Host names, which are https, or `host:port`; it is sent nowhere else
             * @example [
             *       "api.example.com"
             *     ]
             */
            allowedHosts?: string[];
            /** @description Accepted and ignored */
            readonly prefix?: unknown;
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
            /** @description Accepted and ignored */
            readonly rotatedAt?: unknown;
            /** @description Accepted and ignored */
            readonly mappings?: unknown;
            /** @description The secret: printable ASCII. Never shown again */
            value?: string;
        };
        /** ToolKeyInUse */
        ToolKeyInUse: {
            /** @example tkey_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            name: string;
            description: string | null;
            /** @description Host names, or `host:port`, that it may be sent to */
            allowedHosts: string[];
            /** @description Its first characters, to tell it from others */
            prefix: string;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            rotatedAt: string | null;
            mappings: components["schemas"]["ToolKeyUse"][];
        };
        /** ToolKeyMapping */
        ToolKeyMapping: {
            /** @example tmap_01k4qz0000e0080000000000ab */
            id: string;
            /** @description The key’s */
            owner: string;
            keyId: string;
            toolId: string;
            /** @enum {string} */
            in: "header" | "query" | "body";
            name: string;
            /** Format: date-time */
            createdAt: string;
        };
        /** ToolKeyTest */
        ToolKeyTest: {
            /** @description Whether the status is below 300 */
            ok: boolean;
            status: number;
            milliseconds: number;
        };
        /** ToolKeyUse */
        ToolKeyUse: {
            /** @example tmap_01k4qz0000e0080000000000ab */
            id: string;
            /** @description The key’s */
            owner: string;
            keyId: string;
            toolId: string;
            /** @enum {string} */
            in: "header" | "query" | "body";
            name: string;
            /** Format: date-time */
            createdAt: string;
            toolName: string;
        };
        /** ToolKeyValue */
        ToolKeyValue: {
            /** @description The secret: printable ASCII. Never shown again */
            value: string;
        };
        /** ToolMessage */
        ToolMessage: {
            /** @example message_01k4qz0000e0080000000000ab */
            id: string;
            sessionId: string;
            runId: string | null;
            content: string;
            /** Format: date-time */
            createdAt: string;
            /** @constant */
            role: "tool";
            /** @description The call that it answers */
            callId: string;
            toolName: string;
            isError: boolean;
        };
        /** ToolOutcome */
        ToolOutcome: {
            /** @example call_01k4qz0000e0080000000000ab */
            callId: string;
            /** @description Any JSON; of too much the beginning, as text */
            output: unknown;
            isError: boolean;
        };
        /** ToolOutput */
        ToolOutput: {
            text: string;
            offset: number;
            /** @description Characters that were kept */
            total: number;
        };
        /** ToolPermission */
        ToolPermission: {
            /** @example perm_01k4qz0000e0080000000000ab */
            id: string;
            /** @description The tool’s */
            owner: string;
            toolId: string;
            /** @enum {string} */
            subjectType: "user" | "agent" | "service" | "project";
            /** @description Of a project: its id */
            subjectId: string;
            /** @enum {string} */
            level: "use" | "manage";
            grantedBy: string;
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** ToolTransfer */
        ToolTransfer: {
            /** @description Its id or its name */
            toolId: string;
            /** @description A user or service of the project */
            newOwner: string;
            /**
             * @description The owner of today may go on using it
             * @default false
             */
            keepUse?: boolean;
        };
        /** ToolTransferred */
        ToolTransferred: {
            /** @description Of the tool */
            id: string;
            owner: string;
            formerOwner: string;
            /** @description Of keys of the former owner */
            mappingsDropped: number;
            /** @description Of the former owner and its agents, and of the new owner */
            permissionsDropped: number;
        };
        /** TranscriptMessage */
        TranscriptMessage: components["schemas"]["GivenMessage"] | components["schemas"]["AssistantMessage"];
        /** Webhook */
        Webhook: {
            workflowId: string;
            enabled: boolean;
            prefix: string | null;
            /** @description Deliveries must be signed, by the rules of Standard Webhooks */
            signed: boolean;
            /** @description Template of the execution’s input, with expressions over `body`, `headers`, `query` and `method`; null: the body is the input */
            mapping: unknown;
            event: components["schemas"]["WebhookEvent"] | null;
            createdAt: string | null;
            mintedAt: string | null;
        };
        /** WebhookAccepted */
        WebhookAccepted: {
            executionId: string | null;
            /** @description Where it was an event of an execution */
            eventId?: string;
        };
        /**
         * WebhookEvent
         * @description Template of an event for an execution that waits, with the same expressions; null: every delivery begins an execution
         */
        WebhookEvent: {
            /** @description Without a value a delivery begins an execution */
            event: string;
            executionId?: string;
            /** @description That the step waits for; needed without executionId */
            key?: string;
            /** @description Left out: the body */
            data?: unknown;
        };
        /**
         * WebhookEvent
         * @description Template of an event for an execution that waits, with the same expressions; null: every delivery begins an execution
         */
        WebhookEventInput: {
            /** @description Without a value a delivery begins an execution */
            event: string;
            executionId?: string;
            /** @description That the step waits for; needed without executionId */
            key?: string;
            /** @description Left out: the body */
            data?: unknown;
        };
        /** Workflow */
        Workflow: {
            /** @example workflow_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            name: string;
            description: string | null;
            /**
             * @description `public`: everyone may read and fork it; only its owner executes and changes it
             * @enum {unknown}
             */
            visibility: "private" | "public";
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            definition: components["schemas"]["WorkflowDefinition"];
        };
        /** WorkflowChanges */
        WorkflowChanges: {
            /** @description Accepted and ignored */
            readonly id?: unknown;
            /** @description Accepted and ignored */
            readonly owner?: unknown;
            name?: string;
            description?: string | null;
            /**
             * @description `public`: everyone may read and fork it; only its owner executes and changes it
             * @enum {unknown}
             */
            visibility?: "private" | "public";
            /** @description Accepted and ignored */
            readonly version?: unknown;
            /** @description Accepted and ignored */
            readonly createdAt?: unknown;
            /** @description Accepted and ignored */
            readonly updatedAt?: unknown;
            definition?: components["schemas"]["WorkflowDefinitionInput"];
        };
        /** WorkflowDefinition */
        WorkflowDefinition: {
            /** @description JSON Schema of the input */
            inputSchema?: {
                [key: string]: unknown;
            };
            steps: components["schemas"]["WorkflowStep"][];
            /** @description With expressions; left out: the outputs of the last steps, by their ids */
            output?: unknown;
        };
        /** WorkflowDefinition */
        WorkflowDefinitionInput: {
            /** @description JSON Schema of the input */
            inputSchema?: {
                [key: string]: unknown;
            };
            steps: components["schemas"]["WorkflowStepInput"][];
            /** @description With expressions; left out: the outputs of the last steps, by their ids */
            output?: unknown;
        };
        /** WorkflowFork */
        WorkflowFork: {
            name?: string;
            /** @description Ids of agents and workflows of the original, and what of the caller’s stands for them */
            references?: {
                [key: string]: string;
            };
        };
        /** WorkflowStep */
        WorkflowStep: {
            /**
             * @description Letters, digits and `_`. Unique in the whole definition, steps inside of steps included
             * @example classify
             */
            id: string;
            /**
             * @description One of these, or of a pack that brings more
             * @example agent
             */
            type: string;
            name?: string;
            /** @description Steps that it comes after; left out: it begins at once */
            dependsOn?: string[];
            /**
             * @description By type:
             *
             *     - `agent` `{ agentId, prompt, sessionId?, output?, model? }`: a run of the agent; its answer, as text or by the JSON Schema `output`
             *     - `tool` `{ agentId, tool, args? }`: a call of a tool (its name or id) that the agent has; what the tool gives
             *     - `condition` `{ if, then?, else? }`: goes on with the steps that `then` or `else` names; true or false
             *     - `parallel` `{ steps }`: steps of its own, side by side; the outputs of the last of them, by id
             *     - `forEach` `{ items, concurrency?, steps, output? }`: steps of its own for each of `items`, which they see as `item` and `index`; a list, of `output` for each
             *     - `wait` `{ seconds?, until?, event?, key?, schema?, timeoutSeconds? }`: for one of `seconds`, `until` and `event`, where it may ask for a `key`, and for data by the JSON Schema `schema`; nothing, or the data of the event
             *     - `approval` `{ message, principals?, count?, deadlineSeconds?, form?, onReject? }`: for decisions of the owner and `principals`, with data by the JSON Schema `form`; `approved`, `data`, `decisions`
             *     - `workflow` `{ workflowId, input? }`: an execution of another workflow; its output
             *     - `transform` `{ value }`: the value
             *
             *     Strings may hold expressions in JSONata: `{{ input.amount > 10 }}`
             */
            config?: {
                [key: string]: unknown;
            };
            retry?: components["schemas"]["StepRetry"];
            /** @description Of an attempt; a wait or approval has its own */
            timeoutSeconds?: number;
            onError?: components["schemas"]["StepOnError"];
            compensation?: components["schemas"]["StepCompensation"];
        };
        /** WorkflowStep */
        WorkflowStepInput: {
            /**
             * @description Letters, digits and `_`. Unique in the whole definition, steps inside of steps included
             * @example classify
             */
            id: string;
            /**
             * @description One of these, or of a pack that brings more
             * @example agent
             */
            type: string;
            name?: string;
            /** @description Steps that it comes after; left out: it begins at once */
            dependsOn?: string[];
            /**
             * @description By type:
             *
             *     - `agent` `{ agentId, prompt, sessionId?, output?, model? }`: a run of the agent; its answer, as text or by the JSON Schema `output`
             *     - `tool` `{ agentId, tool, args? }`: a call of a tool (its name or id) that the agent has; what the tool gives
             *     - `condition` `{ if, then?, else? }`: goes on with the steps that `then` or `else` names; true or false
             *     - `parallel` `{ steps }`: steps of its own, side by side; the outputs of the last of them, by id
             *     - `forEach` `{ items, concurrency?, steps, output? }`: steps of its own for each of `items`, which they see as `item` and `index`; a list, of `output` for each
             *     - `wait` `{ seconds?, until?, event?, key?, schema?, timeoutSeconds? }`: for one of `seconds`, `until` and `event`, where it may ask for a `key`, and for data by the JSON Schema `schema`; nothing, or the data of the event
             *     - `approval` `{ message, principals?, count?, deadlineSeconds?, form?, onReject? }`: for decisions of the owner and `principals`, with data by the JSON Schema `form`; `approved`, `data`, `decisions`
             *     - `workflow` `{ workflowId, input? }`: an execution of another workflow; its output
             *     - `transform` `{ value }`: the value
             *
             *     Strings may hold expressions in JSONata: `{{ input.amount > 10 }}`
             */
            config?: {
                [key: string]: unknown;
            };
            retry?: components["schemas"]["StepRetryInput"];
            /** @description Of an attempt; a wait or approval has its own */
            timeoutSeconds?: number;
            onError?: components["schemas"]["StepOnErrorInput"];
            compensation?: components["schemas"]["StepCompensationInput"];
        };
        /** WorkflowSummary */
        WorkflowSummary: {
            /** @example workflow_01k4qz0000e0080000000000ab */
            id: string;
            owner: string;
            name: string;
            description: string | null;
            /**
             * @description `public`: everyone may read and fork it; only its owner executes and changes it
             * @enum {unknown}
             */
            visibility: "private" | "public";
            /** @description Counts edits; the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
    };
    responses: {
        /** @description A part of the request is wrong; `param` names it */
        Invalid: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "invalid_request_error",
                 *         "message": "/name is required",
                 *         "param": "/name",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential is missing, unknown, expired or revoked */
        Unauthenticated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "www-authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "authentication_error",
                 *         "message": "A bearer credential is required",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Credits are used up, or a spending cap is reached */
        PaymentRequired: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "payment_required",
                 *         "message": "Not enough credits",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential lacks a scope, or the resource belongs to someone else */
        Forbidden: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "permission_error",
                 *         "message": "Agent belongs to someone else",
                 *         "code": "not_owner",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such resource */
        NotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "not_found",
                 *         "message": "Agent not found",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request did not arrive in time */
        TooSlow: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "invalid_request_error",
                 *         "message": "The body did not arrive in time",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The state of the resource, or another request with the same key, is in the way */
        Conflict: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "conflict_error",
                 *         "message": "The Idempotency-Key was used with another body",
                 *         "code": "idempotency_key_reused",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource has another version than `If-Match` names */
        PreconditionFailed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "precondition_failed",
                 *         "message": "The resource has another version than If-Match names",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is too large */
        TooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "request_too_large",
                 *         "message": "The body is larger than 1048576 bytes",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The URL is too long */
        UriTooLong: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "invalid_request_error",
                 *         "message": "The URL is longer than 8192 characters",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body has another content type */
        UnsupportedMedia: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "unsupported_media_type",
                 *         "message": "The body must be application/json",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The range lies beyond the end; `Content-Range` tells the size */
        RangeNotSatisfiable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "invalid_request_error",
                 *         "message": "There are 1024 bytes",
                 *         "param": "range",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests; `Retry-After` says when to try again */
        RateLimited: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "rate_limit_error",
                 *         "message": "Rate limit exceeded. Retry-After: 12",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The headers are too large */
        HeadersTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "invalid_request_error",
                 *         "message": "The headers are too large",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault on our side; the log knows more under the request id */
        Internal: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "api_error",
                 *         "message": "Something went wrong on our side",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body has a transfer coding other than `chunked` */
        NotImplemented: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "invalid_request_error",
                 *         "message": "No such transfer coding",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A model, tool server or provider failed */
        Upstream: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "upstream_error",
                 *         "message": "The model could not be reached",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The database is away, the platform is starting or stopping, or a capability is not configured */
        Unavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "service_unavailable",
                 *         "message": "The database cannot be reached",
                 *         "code": "database_unavailable",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A model, tool server or provider took too long */
        UpstreamTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "upstream_timeout",
                 *         "message": "The model did not answer in time",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no room left */
        InsufficientStorage: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "insufficient_storage",
                 *         "message": "The storage quota is used up",
                 *         "requestId": "req_tu1a2bq9x4k7m0c5d8000001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description For 24 hours, the same key with the same body repeats the first reply */
        IdempotencyKey: string;
        /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
        IfMatch: string;
        /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
        Initiator: string;
        /** @description `seq` of the last event that was received; the stream goes on after it */
        LastEventId: number;
    };
    requestBodies: never;
    headers: {
        /** @description Names the request, in every error and in the log */
        RequestId: string;
        /** @description The version, for `If-Match` */
        ETag: string;
        /** @description `true` on a reply that was repeated for its `Idempotency-Key` */
        IdempotencyReplayed: "true";
        /** @description Seconds to wait */
        RetryAfter: number;
        /** @description The challenge of RFC 6750 */
        WwwAuthenticate: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process serves */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            status: "ok";
                            /** @description null for callers on other machines */
                            version: string | null;
                            /** @description null for callers on other machines */
                            packs: {
                                up?: string[];
                                failed?: string[];
                            } | null;
                        };
                    };
                };
            };
        };
    };
    getHealthReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            ready: boolean;
                            database: boolean;
                            migrations: boolean;
                            storage: boolean;
                            draining: boolean;
                        };
                    };
                };
            };
            /** @description Not ready */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            ready: boolean;
                            database: boolean;
                            migrations: boolean;
                            storage: boolean;
                            draining: boolean;
                        };
                    };
                };
            };
        };
    };
    getWellKnownJwksJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "example",
                     *           "crv": "example",
                     *           "x": "example",
                     *           "kid": "example",
                     *           "alg": "example",
                     *           "use": "example"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PublicKeySet"];
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocsAssetsByFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Carries the digest of its content */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenapiJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgents: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description Only those of this owner */
                owner?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "agent_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "instructions": "You are a helpful assistant.",
                     *           "modelProvider": "openai",
                     *           "modelId": "gpt-4.1-mini",
                     *           "temperature": 1,
                     *           "maxTokens": 1024,
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Agent"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAgents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada"
                 *     }
                 */
                "application/json": components["schemas"]["NewAgent"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "agent_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "instructions": "You are a helpful assistant.",
                     *         "modelProvider": "openai",
                     *         "modelId": "gpt-4.1-mini",
                     *         "temperature": 1,
                     *         "maxTokens": 1024,
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Agent"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getAgentsByAgentId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "agent_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "instructions": "You are a helpful assistant.",
                     *         "modelProvider": "openai",
                     *         "modelId": "gpt-4.1-mini",
                     *         "temperature": 1,
                     *         "maxTokens": 1024,
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Agent"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putAgentsByAgentId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "instructions": "You are a helpful assistant.",
                 *       "modelProvider": "openai",
                 *       "modelId": "gpt-4.1-mini",
                 *       "temperature": 1,
                 *       "maxTokens": 1024
                 *     }
                 */
                "application/json": components["schemas"]["AgentChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "agent_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "instructions": "You are a helpful assistant.",
                     *         "modelProvider": "openai",
                     *         "modelId": "gpt-4.1-mini",
                     *         "temperature": 1,
                     *         "maxTokens": 1024,
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Agent"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteAgentsByAgentId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "agent_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getAgentsByAgentIdAutonomy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "enabled": true,
                     *         "intervalMinutes": 1,
                     *         "cronExpression": "0 9 * * 1-5",
                     *         "timezone": "Europe/Berlin",
                     *         "activeHours": {
                     *           "from": "08:00",
                     *           "to": "22:00",
                     *           "days": [
                     *             "sun"
                     *           ]
                     *         },
                     *         "prompt": "example",
                     *         "model": {
                     *           "modelProvider": "openai",
                     *           "modelId": "gpt-4.1-mini"
                     *         },
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "dailyBeats": 1,
                     *         "dailyTokens": 1,
                     *         "isolatedSessionId": "isolated_session_01k4qz0000e0080000000000ab",
                     *         "nextBeatAt": "2026-01-15T09:30:00.000Z",
                     *         "lastBeat": {
                     *           "id": "beat_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "agentId": "agent_01k4qz0000e0080000000000ab",
                     *           "trigger": "schedule",
                     *           "status": "starting",
                     *           "reason": null,
                     *           "error": null,
                     *           "runId": "run_01k4qz0000e0080000000000ab",
                     *           "sessionId": "session_01k4qz0000e0080000000000ab",
                     *           "silent": true,
                     *           "tokens": 1,
                     *           "dueAt": "2026-01-15T09:30:00.000Z",
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "endedAt": "2026-01-15T09:30:00.000Z"
                     *         },
                     *         "today": {
                     *           "beats": 1,
                     *           "tokens": 1
                     *         },
                     *         "failures": 1,
                     *         "backoffUntil": "2026-01-15T09:30:00.000Z",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Heartbeat"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putAgentsByAgentIdAutonomy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true,
                 *       "intervalMinutes": 30,
                 *       "timezone": "Europe/Berlin",
                 *       "activeHours": {
                 *         "from": "08:00",
                 *         "to": "20:00",
                 *         "days": [
                 *           "mon",
                 *           "tue",
                 *           "wed",
                 *           "thu",
                 *           "fri"
                 *         ]
                 *       },
                 *       "prompt": "Look for new complaints, and answer those that nobody has answered."
                 *     }
                 */
                "application/json": components["schemas"]["HeartbeatChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "enabled": true,
                     *         "intervalMinutes": 1,
                     *         "cronExpression": "0 9 * * 1-5",
                     *         "timezone": "Europe/Berlin",
                     *         "activeHours": {
                     *           "from": "08:00",
                     *           "to": "22:00",
                     *           "days": [
                     *             "sun"
                     *           ]
                     *         },
                     *         "prompt": "example",
                     *         "model": {
                     *           "modelProvider": "openai",
                     *           "modelId": "gpt-4.1-mini"
                     *         },
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "dailyBeats": 1,
                     *         "dailyTokens": 1,
                     *         "isolatedSessionId": "isolated_session_01k4qz0000e0080000000000ab",
                     *         "nextBeatAt": "2026-01-15T09:30:00.000Z",
                     *         "lastBeat": {
                     *           "id": "beat_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "agentId": "agent_01k4qz0000e0080000000000ab",
                     *           "trigger": "schedule",
                     *           "status": "starting",
                     *           "reason": null,
                     *           "error": null,
                     *           "runId": "run_01k4qz0000e0080000000000ab",
                     *           "sessionId": "session_01k4qz0000e0080000000000ab",
                     *           "silent": true,
                     *           "tokens": 1,
                     *           "dueAt": "2026-01-15T09:30:00.000Z",
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "endedAt": "2026-01-15T09:30:00.000Z"
                     *         },
                     *         "today": {
                     *           "beats": 1,
                     *           "tokens": 1
                     *         },
                     *         "failures": 1,
                     *         "backoffUntil": "2026-01-15T09:30:00.000Z",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Heartbeat"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getAgentsByAgentIdAutonomyBeats: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                status?: "starting" | "running" | "completed" | "failed" | "cancelled" | "skipped";
                trigger?: "schedule" | "manual" | "external";
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "beat_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "agentId": "agent_01k4qz0000e0080000000000ab",
                     *           "trigger": "schedule",
                     *           "status": "starting",
                     *           "reason": null,
                     *           "error": null,
                     *           "runId": "run_01k4qz0000e0080000000000ab",
                     *           "sessionId": "session_01k4qz0000e0080000000000ab",
                     *           "silent": true,
                     *           "tokens": 1,
                     *           "dueAt": "2026-01-15T09:30:00.000Z",
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "endedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Beat"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAgentsByAgentIdAutonomyTrigger: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "beat_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "trigger": "schedule",
                     *         "status": "starting",
                     *         "reason": null,
                     *         "error": null,
                     *         "runId": "run_01k4qz0000e0080000000000ab",
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "silent": true,
                     *         "tokens": 1,
                     *         "dueAt": "2026-01-15T09:30:00.000Z",
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Beat"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getAgentsByAgentIdAvatar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": Blob;
                };
            };
            /** @description The range */
            206: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": Blob;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAgentsByAgentIdAvatar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description Once a file; each with its name
                     */
                    file: Blob;
                } | null;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "size": 1,
                     *         "sha256": "example",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Avatar"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    headAgentsByAgentIdAvatar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": Blob;
                };
            };
            /** @description The range */
            206: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": Blob;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgentsByAgentIdKnowledgebase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "content": "Hello",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Knowledgebase"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putAgentsByAgentIdKnowledgebase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "Hello"
                 *     }
                 */
                "application/json": components["schemas"]["KnowledgebaseReplacement"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "content": "Hello",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Knowledgebase"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getAgentsByAgentIdPreferredConnections: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "connection_01k4qz0000e0080000000000ab",
                     *           "agentId": "agent_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "peerAgentId": "peer_agent_01k4qz0000e0080000000000ab",
                     *           "description": "What it is about, in a sentence",
                     *           "createdAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PreferredConnection"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAgentsByAgentIdPreferredConnections: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "peerAgentId": "peer_agent_01k4qz0000e0080000000000ab"
                 *     }
                 */
                "application/json": components["schemas"]["NewPreferredConnection"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "connection_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "peerAgentId": "peer_agent_01k4qz0000e0080000000000ab",
                     *         "description": "What it is about, in a sentence",
                     *         "createdAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PreferredConnection"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getAgentsByAgentIdTools: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "assign_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "agentId": "agent_01k4qz0000e0080000000000ab",
                     *           "toolId": "tool_01k4qz0000e0080000000000ab",
                     *           "toolName": "example",
                     *           "policy": "allow",
                     *           "enabled": true,
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolAssignment"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAgentsByAgentIdTools: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "toolId": "tool_01k4qz0000e0080000000000ab",
                 *       "policy": "allow",
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["NewToolAssignment"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "assign_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "toolId": "tool_01k4qz0000e0080000000000ab",
                     *         "toolName": "example",
                     *         "policy": "allow",
                     *         "enabled": true,
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolAssignment"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postAgentsByAgentIdTrigger: {
        parameters: {
            query?: {
                /** @description The session to continue; left out: a new one */
                sessionId?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "ticket.created",
                 *       "ticket": {
                 *         "id": 4711,
                 *         "subject": "The lamp broke"
                 *       }
                 *     }
                 */
                "application/json": unknown;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "beat_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "trigger": "schedule",
                     *         "status": "starting",
                     *         "reason": null,
                     *         "error": null,
                     *         "runId": "run_01k4qz0000e0080000000000ab",
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "silent": true,
                     *         "tokens": 1,
                     *         "dueAt": "2026-01-15T09:30:00.000Z",
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Beat"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postAgentsCliToolResult: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "runId": "run_01k4qz0000e0080000000000ab",
                 *       "callId": "call_01k4qz0000e0080000000000ab",
                 *       "output": {},
                 *       "isError": false
                 *     }
                 */
                "application/json": components["schemas"]["CliToolResult"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "run_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "status": "queued",
                     *         "content": "Hello",
                     *         "usage": {
                     *           "inputTokens": 1,
                     *           "cachedTokens": 1,
                     *           "outputTokens": 1
                     *         },
                     *         "error": null,
                     *         "pending": [
                     *           {
                     *             "callId": "call_01k4qz0000e0080000000000ab",
                     *             "toolName": "example",
                     *             "args": {},
                     *             "deadline": "2026-01-15T09:30:00.000Z",
                     *             "for": "result"
                     *           }
                     *         ],
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteAgentsPreferredConnectionsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "preferred_connection_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postAgentsRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "agent_01k4qz0000e0080000000000ab",
                 *       "messages": [
                 *         {
                 *           "role": "user",
                 *           "content": "Hello"
                 *         }
                 *       ],
                 *       "multitaskStrategy": "enqueue"
                 *     }
                 */
                "application/json": components["schemas"]["RunRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "run_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "status": "queued",
                     *         "content": "Hello",
                     *         "usage": {
                     *           "inputTokens": 1,
                     *           "cachedTokens": 1,
                     *           "outputTokens": 1
                     *         },
                     *         "error": null,
                     *         "pending": [
                     *           {
                     *             "callId": "call_01k4qz0000e0080000000000ab",
                     *             "toolName": "example",
                     *             "args": {},
                     *             "deadline": "2026-01-15T09:30:00.000Z",
                     *             "for": "result"
                     *           }
                     *         ],
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postAgentsRunStream: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "agent_01k4qz0000e0080000000000ab",
                 *       "messages": [
                 *         {
                 *           "role": "user",
                 *           "content": "Hello"
                 *         }
                 *       ],
                 *       "multitaskStrategy": "enqueue"
                 *     }
                 */
                "application/json": components["schemas"]["RunRequest"];
            };
        };
        responses: {
            /** @description Server-Sent Events, each a `data: <JSON>` frame */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example data: {"type":"run_started","runId":"run_01k4qz0000e0080000000000ab","seq":1,"sessionId":"session_01k4qz0000e0080000000000ab"} */
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getAgentsRunsByRunId: {
        parameters: {
            query?: {
                /** @description Answered as `POST /v1/agents/run` is: once it has ended, waits, or stands behind one that does */
                wait?: boolean;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "run_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "status": "queued",
                     *         "content": "Hello",
                     *         "usage": {
                     *           "inputTokens": 1,
                     *           "cachedTokens": 1,
                     *           "outputTokens": 1
                     *         },
                     *         "error": null,
                     *         "pending": [
                     *           {
                     *             "callId": "call_01k4qz0000e0080000000000ab",
                     *             "toolName": "example",
                     *             "args": {},
                     *             "deadline": "2026-01-15T09:30:00.000Z",
                     *             "for": "result"
                     *           }
                     *         ],
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAgentsRunsByRunIdApprovalsByCallId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                runId: string;
                callId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "decision": "approve",
                 *       "forSession": false
                 *     }
                 */
                "application/json": components["schemas"]["ApprovalDecision"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "run_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "status": "queued",
                     *         "content": "Hello",
                     *         "usage": {
                     *           "inputTokens": 1,
                     *           "cachedTokens": 1,
                     *           "outputTokens": 1
                     *         },
                     *         "error": null,
                     *         "pending": [
                     *           {
                     *             "callId": "call_01k4qz0000e0080000000000ab",
                     *             "toolName": "example",
                     *             "args": {},
                     *             "deadline": "2026-01-15T09:30:00.000Z",
                     *             "for": "result"
                     *           }
                     *         ],
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postAgentsRunsByRunIdCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "run_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "status": "queued",
                     *         "content": "Hello",
                     *         "usage": {
                     *           "inputTokens": 1,
                     *           "cachedTokens": 1,
                     *           "outputTokens": 1
                     *         },
                     *         "error": null,
                     *         "pending": [
                     *           {
                     *             "callId": "call_01k4qz0000e0080000000000ab",
                     *             "toolName": "example",
                     *             "args": {},
                     *             "deadline": "2026-01-15T09:30:00.000Z",
                     *             "for": "result"
                     *           }
                     *         ],
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postAgentsRunsByRunIdElicitationsByElicitationId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                runId: string;
                elicitationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "accept"
                 *     }
                 */
                "application/json": components["schemas"]["ElicitationAnswer"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "run_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "status": "queued",
                     *         "content": "Hello",
                     *         "usage": {
                     *           "inputTokens": 1,
                     *           "cachedTokens": 1,
                     *           "outputTokens": 1
                     *         },
                     *         "error": null,
                     *         "pending": [
                     *           {
                     *             "callId": "call_01k4qz0000e0080000000000ab",
                     *             "toolName": "example",
                     *             "args": {},
                     *             "deadline": "2026-01-15T09:30:00.000Z",
                     *             "for": "result"
                     *           }
                     *         ],
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getAgentsRunsByRunIdStream: {
        parameters: {
            query?: {
                /** @description `seq` of the last event received */
                after?: number;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description `seq` of the last event that was received; the stream goes on after it */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-Sent Events, each a `data: <JSON>` frame */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example data: {"type":"run_started","runId":"run_01k4qz0000e0080000000000ab","seq":1,"sessionId":"session_01k4qz0000e0080000000000ab"} */
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAgentsRunsByRunIdStream: {
        parameters: {
            query?: {
                /** @description `seq` of the last event received */
                after?: number;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "after": 1
                 *     }
                 */
                "application/json": null | {
                    /** @description `seq` of the last event received */
                    after?: number;
                };
            };
        };
        responses: {
            /** @description Server-Sent Events, each a `data: <JSON>` frame */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example data: {"type":"run_started","runId":"run_01k4qz0000e0080000000000ab","seq":1,"sessionId":"session_01k4qz0000e0080000000000ab"} */
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getAgentsSessionsBySessionIdChat: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "message_01k4qz0000e0080000000000ab",
                     *           "sessionId": "session_01k4qz0000e0080000000000ab",
                     *           "runId": "run_01k4qz0000e0080000000000ab",
                     *           "content": "Hello",
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "role": "user",
                     *           "untrusted": true,
                     *           "attachments": [
                     *             {
                     *               "fileId": "file_01k4qz0000e0080000000000ab"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TranscriptMessage"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAgentsTools: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "agent_01k4qz0000e0080000000000ab",
                 *       "toolName": "example"
                 *     }
                 */
                "application/json": components["schemas"]["ToolCallRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "callId": "call_01k4qz0000e0080000000000ab",
                     *         "output": {},
                     *         "isError": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolOutcome"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteAgentsToolsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tool_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patchAgentsToolsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "policy": "allow",
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["ToolAssignmentChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "assign_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "toolId": "tool_01k4qz0000e0080000000000ab",
                     *         "toolName": "example",
                     *         "policy": "allow",
                     *         "enabled": true,
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolAssignment"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getAuthApiKeys: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "key_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "prefix": "apk_x7Kd",
                     *           "scopes": [
                     *             "agents:read"
                     *           ],
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "lastUsedAt": "2026-01-15T09:30:00.000Z",
                     *           "revokedAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAuthApiKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly report"
                 *     }
                 */
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "key_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "prefix": "apk_x7Kd",
                     *         "scopes": [
                     *           "agents:read"
                     *         ],
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "lastUsedAt": "2026-01-15T09:30:00.000Z",
                     *         "revokedAt": null,
                     *         "key": "example"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CreatedApiKey"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteAuthApiKeysById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "api_key_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getAuthMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "principalId": "ada@example.com",
                     *         "principalType": "user",
                     *         "project": "example",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "initiator": null,
                     *         "scopes": [
                     *           "agents:read"
                     *         ],
                     *         "narrowed": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Identity"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getComputeByPath: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                /** @description Path at the compute service */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
            /** @description The reply of the compute service, as it is */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
        };
    };
    putComputeByPath: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                /** @description Path at the compute service */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": Blob;
            };
        };
        responses: {
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
            507: components["responses"]["InsufficientStorage"];
            /** @description The reply of the compute service, as it is */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
        };
    };
    postComputeByPath: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                /** @description Path at the compute service */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": Blob;
            };
        };
        responses: {
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
            507: components["responses"]["InsufficientStorage"];
            /** @description The reply of the compute service, as it is */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
        };
    };
    deleteComputeByPath: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                /** @description Path at the compute service */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": Blob;
            };
        };
        responses: {
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
            507: components["responses"]["InsufficientStorage"];
            /** @description The reply of the compute service, as it is */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
        };
    };
    optionsComputeByPath: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                /** @description Path at the compute service */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": Blob;
            };
        };
        responses: {
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
            507: components["responses"]["InsufficientStorage"];
            /** @description The reply of the compute service, as it is */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
        };
    };
    headComputeByPath: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                /** @description Path at the compute service */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
            /** @description The reply of the compute service, as it is */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
        };
    };
    patchComputeByPath: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                /** @description Path at the compute service */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": Blob;
            };
        };
        responses: {
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
            507: components["responses"]["InsufficientStorage"];
            /** @description The reply of the compute service, as it is */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
        };
    };
    getFilesByFileId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "file_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "mediaType": "example",
                     *         "size": 1,
                     *         "sha256": "example",
                     *         "createdAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["File"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFilesByFileIdContent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description The range */
            206: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    headFilesByFileIdContent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description The range */
            206: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postFilesUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description Once a file; each with its name
                     */
                    file: Blob;
                } | null;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "file_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "mediaType": "example",
                     *         "size": 1,
                     *         "sha256": "example",
                     *         "createdAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["File"] | components["schemas"]["File"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getGoals: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description Only those of this agent */
                agentId?: string;
                /** @description Left out: done at 100 per cent, else open */
                status?: "open" | "done" | "abandoned";
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "goal_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "agentId": "agent_01k4qz0000e0080000000000ab",
                     *           "title": "Ship the beta",
                     *           "description": "What it is about, in a sentence",
                     *           "status": "open",
                     *           "progress": 40,
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Goal"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postGoals: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "agent_01k4qz0000e0080000000000ab",
                 *       "title": "Ship the beta"
                 *     }
                 */
                "application/json": components["schemas"]["NewGoal"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "goal_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "title": "Ship the beta",
                     *         "description": "What it is about, in a sentence",
                     *         "status": "open",
                     *         "progress": 40,
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Goal"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getGoalsByGoalId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "goal_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "title": "Ship the beta",
                     *         "description": "What it is about, in a sentence",
                     *         "status": "open",
                     *         "progress": 40,
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Goal"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putGoalsByGoalId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Ship the beta",
                 *       "description": "What it is about, in a sentence",
                 *       "status": "open",
                 *       "progress": 40
                 *     }
                 */
                "application/json": components["schemas"]["GoalChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "goal_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "title": "Ship the beta",
                     *         "description": "What it is about, in a sentence",
                     *         "status": "open",
                     *         "progress": 40,
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Goal"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteGoalsByGoalId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "goal_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getKnowledge: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description Only spaces of this owner */
                owner?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "space_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "description": "What it is about, in a sentence",
                     *           "provider": "example",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z",
                     *           "access": "read"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeSpace"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postKnowledge: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "provider": "embedded"
                 *     }
                 */
                "application/json": components["schemas"]["NewKnowledgeSpace"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "space_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "provider": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "access": "read"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeSpace"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getKnowledgeBySpaceId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                spaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "space_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "provider": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "access": "read"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeSpace"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteKnowledgeBySpaceId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                spaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "space_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patchKnowledgeBySpaceId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                spaceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "description": "What it is about, in a sentence",
                 *       "provider": "example"
                 *     }
                 */
                "application/json": components["schemas"]["KnowledgeSpaceChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "space_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "provider": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "access": "read"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeSpace"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getKnowledgeBySpaceIdDocuments: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description Only what is right in this folder; `root`: at the top */
                folderId?: string;
                tag?: string;
                /** @description Only the one at this path */
                path?: string;
                /** @description `ready`: all of this version can be searched */
                status?: "ready" | "processing" | "failed";
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                spaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "document_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "spaceId": "space_01k4qz0000e0080000000000ab",
                     *           "folderId": "folder_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "title": "Ship the beta",
                     *           "path": "guides/setup.md",
                     *           "mediaType": "text/markdown",
                     *           "fileId": "file_01k4qz0000e0080000000000ab",
                     *           "hash": "example",
                     *           "size": 1,
                     *           "tags": [
                     *             "example"
                     *           ],
                     *           "status": "ready",
                     *           "progress": 40,
                     *           "error": null,
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeDocumentSummary"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postKnowledgeBySpaceIdDocuments: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                spaceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Ship the beta",
                 *       "content": "Hello",
                 *       "mediaType": "text/markdown"
                 *     }
                 */
                "application/json": components["schemas"]["NewKnowledgeDocument"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "document_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "spaceId": "space_01k4qz0000e0080000000000ab",
                     *         "folderId": "folder_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "title": "Ship the beta",
                     *         "path": "guides/setup.md",
                     *         "mediaType": "text/markdown",
                     *         "fileId": "file_01k4qz0000e0080000000000ab",
                     *         "hash": "example",
                     *         "size": 1,
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "status": "ready",
                     *         "progress": 40,
                     *         "error": null,
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "content": "Hello"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeDocument"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getKnowledgeBySpaceIdDocumentsByDocumentId: {
        parameters: {
            query?: {
                /** @description As it was then; default: as it is */
                version?: number;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                spaceId: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "document_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "spaceId": "space_01k4qz0000e0080000000000ab",
                     *         "folderId": "folder_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "title": "Ship the beta",
                     *         "path": "guides/setup.md",
                     *         "mediaType": "text/markdown",
                     *         "fileId": "file_01k4qz0000e0080000000000ab",
                     *         "hash": "example",
                     *         "size": 1,
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "status": "ready",
                     *         "progress": 40,
                     *         "error": null,
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "content": "Hello"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeDocument"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteKnowledgeBySpaceIdDocumentsByDocumentId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                spaceId: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "document_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patchKnowledgeBySpaceIdDocumentsByDocumentId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                spaceId: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "folderId": "folder_01k4qz0000e0080000000000ab",
                 *       "name": "Ada",
                 *       "title": "Ship the beta",
                 *       "content": "Hello"
                 *     }
                 */
                "application/json": components["schemas"]["KnowledgeDocumentChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "document_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "spaceId": "space_01k4qz0000e0080000000000ab",
                     *         "folderId": "folder_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "title": "Ship the beta",
                     *         "path": "guides/setup.md",
                     *         "mediaType": "text/markdown",
                     *         "fileId": "file_01k4qz0000e0080000000000ab",
                     *         "hash": "example",
                     *         "size": 1,
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "status": "ready",
                     *         "progress": 40,
                     *         "error": null,
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "content": "Hello"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeDocument"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getKnowledgeBySpaceIdFolders: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description Only what is right in this folder; `root`: at the top */
                parentId?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                spaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "folder_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "spaceId": "space_01k4qz0000e0080000000000ab",
                     *           "parentId": "parent_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "path": "guides/setup",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeFolder"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postKnowledgeBySpaceIdFolders: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                spaceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada"
                 *     }
                 */
                "application/json": components["schemas"]["NewKnowledgeFolder"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "folder_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "spaceId": "space_01k4qz0000e0080000000000ab",
                     *         "parentId": "parent_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "path": "guides/setup",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeFolder"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteKnowledgeBySpaceIdFoldersByFolderId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                spaceId: string;
                folderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "folder_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patchKnowledgeBySpaceIdFoldersByFolderId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                spaceId: string;
                folderId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "parentId": "parent_01k4qz0000e0080000000000ab",
                 *       "name": "Ada"
                 *     }
                 */
                "application/json": components["schemas"]["KnowledgeFolderChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "folder_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "spaceId": "space_01k4qz0000e0080000000000ab",
                     *         "parentId": "parent_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "path": "guides/setup",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeFolder"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getKnowledgeBySpaceIdGrants: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                spaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "grant_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "spaceId": "space_01k4qz0000e0080000000000ab",
                     *           "subjectType": "user",
                     *           "subjectId": "subject_01k4qz0000e0080000000000ab",
                     *           "level": "read",
                     *           "grantedBy": "example",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeGrant"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postKnowledgeBySpaceIdGrants: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                spaceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subjectType": "user",
                 *       "subjectId": "subject_01k4qz0000e0080000000000ab",
                 *       "level": "read"
                 *     }
                 */
                "application/json": components["schemas"]["NewKnowledgeGrant"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "grant_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "spaceId": "space_01k4qz0000e0080000000000ab",
                     *         "subjectType": "user",
                     *         "subjectId": "subject_01k4qz0000e0080000000000ab",
                     *         "level": "read",
                     *         "grantedBy": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeGrant"];
                    };
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "grant_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "spaceId": "space_01k4qz0000e0080000000000ab",
                     *         "subjectType": "user",
                     *         "subjectId": "subject_01k4qz0000e0080000000000ab",
                     *         "level": "read",
                     *         "grantedBy": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeGrant"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteKnowledgeBySpaceIdGrantsByGrantId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                spaceId: string;
                grantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "grant_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getKnowledgeBySpaceIdGraph: {
        parameters: {
            query?: {
                /** @description Only this document, and those that it links to or that link to it */
                documentId?: string;
                /** @description Nodes, edges and unresolved links, each */
                limit?: number;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                spaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "nodes": [
                     *           {
                     *             "id": "knowledge_graph_01k4qz0000e0080000000000ab",
                     *             "title": "Ship the beta",
                     *             "path": "example",
                     *             "tags": [
                     *               "example"
                     *             ]
                     *           }
                     *         ],
                     *         "edges": [
                     *           {
                     *             "fromId": "from_01k4qz0000e0080000000000ab",
                     *             "toId": "to_01k4qz0000e0080000000000ab",
                     *             "count": 1
                     *           }
                     *         ],
                     *         "unresolved": [
                     *           {
                     *             "documentId": "document_01k4qz0000e0080000000000ab",
                     *             "target": "example",
                     *             "label": "example",
                     *             "count": 1
                     *           }
                     *         ],
                     *         "truncated": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeGraph"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postKnowledgeBySpaceIdImport: {
        parameters: {
            query?: {
                /** @description The folder that paths begin in */
                folderId?: string;
                /** @description Of a body that is one file */
                path?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                spaceId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": Blob;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "import_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "spaceId": "space_01k4qz0000e0080000000000ab",
                     *         "folderId": "folder_01k4qz0000e0080000000000ab",
                     *         "status": "running",
                     *         "total": 1,
                     *         "created": 1,
                     *         "updated": 1,
                     *         "unchanged": 1,
                     *         "failed": 1,
                     *         "skipped": 1,
                     *         "errors": [
                     *           {
                     *             "path": "example",
                     *             "message": "Hello",
                     *             "code": "example"
                     *           }
                     *         ],
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeImport"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getKnowledgeBySpaceIdImportsByImportId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                spaceId: string;
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "import_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "spaceId": "space_01k4qz0000e0080000000000ab",
                     *         "folderId": "folder_01k4qz0000e0080000000000ab",
                     *         "status": "running",
                     *         "total": 1,
                     *         "created": 1,
                     *         "updated": 1,
                     *         "unchanged": 1,
                     *         "failed": 1,
                     *         "skipped": 1,
                     *         "errors": [
                     *           {
                     *             "path": "example",
                     *             "message": "Hello",
                     *             "code": "example"
                     *           }
                     *         ],
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeImport"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getKnowledgeBySpaceIdSearch: {
        parameters: {
            query: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description What is looked for */
                query: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                spaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "spaceId": "space_01k4qz0000e0080000000000ab",
                     *           "documentId": "document_01k4qz0000e0080000000000ab",
                     *           "version": 1,
                     *           "title": "Ship the beta",
                     *           "path": "example",
                     *           "url": "https://example.com",
                     *           "heading": "example",
                     *           "start": 1,
                     *           "end": 1,
                     *           "page": 1,
                     *           "text": "Hello",
                     *           "score": 1,
                     *           "highlights": [
                     *             {
                     *               "start": 1,
                     *               "end": 1
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgePassage"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getKnowledgeProviders: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "key": "embedded",
                     *           "name": "Ada",
                     *           "description": "What it is about, in a sentence",
                     *           "configured": true
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeProvider"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getKnowledgeSearch: {
        parameters: {
            query: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description What is looked for */
                query: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "spaceId": "space_01k4qz0000e0080000000000ab",
                     *           "documentId": "document_01k4qz0000e0080000000000ab",
                     *           "version": 1,
                     *           "title": "Ship the beta",
                     *           "path": "example",
                     *           "url": "https://example.com",
                     *           "heading": "example",
                     *           "start": 1,
                     *           "end": 1,
                     *           "page": 1,
                     *           "text": "Hello",
                     *           "score": 1,
                     *           "highlights": [
                     *             {
                     *               "start": 1,
                     *               "end": 1
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgePassage"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getLibrary: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description Only those with it in their name or description */
                q?: string;
                /** @description Only those of this media type; `image/*` for all that begin so */
                mediaType?: string;
                favourite?: boolean;
                /** @description What it came from */
                origin?: "upload" | "run" | "tool" | "code";
                /** @description Only those that the caller has by a grant, or only its own */
                granted?: boolean;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "item_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "description": "What it is about, in a sentence",
                     *           "mediaType": "example",
                     *           "size": 1,
                     *           "favourite": true,
                     *           "origin": {
                     *             "type": "upload",
                     *             "id": "library_origin_01k4qz0000e0080000000000ab"
                     *           },
                     *           "cid": "example",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z",
                     *           "access": "read"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["LibraryItem"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLibraryByItemId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                itemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "item_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "mediaType": "example",
                     *         "size": 1,
                     *         "favourite": true,
                     *         "origin": {
                     *           "type": "upload",
                     *           "id": "library_origin_01k4qz0000e0080000000000ab"
                     *         },
                     *         "cid": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "access": "read"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["LibraryItem"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteLibraryByItemId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                itemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "item_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patchLibraryByItemId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                itemId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "description": "What it is about, in a sentence",
                 *       "favourite": true
                 *     }
                 */
                "application/json": components["schemas"]["LibraryItemChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "item_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "mediaType": "example",
                     *         "size": 1,
                     *         "favourite": true,
                     *         "origin": {
                     *           "type": "upload",
                     *           "id": "library_origin_01k4qz0000e0080000000000ab"
                     *         },
                     *         "cid": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "access": "read"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["LibraryItem"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getLibraryByItemIdDownload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                itemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "url": "https://example.com",
                     *         "expiresAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SignedDownload"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLibraryByItemIdGrants: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                itemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "grant_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "itemId": "item_01k4qz0000e0080000000000ab",
                     *           "subjectType": "user",
                     *           "subjectId": "subject_01k4qz0000e0080000000000ab",
                     *           "level": "read",
                     *           "grantedBy": "example",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["LibraryGrant"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postLibraryByItemIdGrants: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                itemId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subjectType": "user",
                 *       "subjectId": "subject_01k4qz0000e0080000000000ab",
                 *       "level": "read"
                 *     }
                 */
                "application/json": components["schemas"]["NewLibraryGrant"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "grant_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "itemId": "item_01k4qz0000e0080000000000ab",
                     *         "subjectType": "user",
                     *         "subjectId": "subject_01k4qz0000e0080000000000ab",
                     *         "level": "read",
                     *         "grantedBy": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["LibraryGrant"];
                    };
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "grant_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "itemId": "item_01k4qz0000e0080000000000ab",
                     *         "subjectType": "user",
                     *         "subjectId": "subject_01k4qz0000e0080000000000ab",
                     *         "level": "read",
                     *         "grantedBy": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["LibraryGrant"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteLibraryByItemIdGrantsByGrantId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                itemId: string;
                grantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "grant_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getLibraryByItemIdPreview: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                itemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": Blob;
                    "text/html": Blob;
                    "image/png": Blob;
                    "image/webp": Blob;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Payload Too Large */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLibraryByItemIdProvenance: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                itemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "itemId": "item_01k4qz0000e0080000000000ab",
                     *         "origin": {
                     *           "type": "upload",
                     *           "id": "library_origin_01k4qz0000e0080000000000ab"
                     *         },
                     *         "chain": [
                     *           {
                     *             "type": "file",
                     *             "id": "provenance_step_01k4qz0000e0080000000000ab",
                     *             "actor": "example",
                     *             "at": "2026-01-15T09:30:00.000Z",
                     *             "sha256": "example"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Provenance"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postLibraryByItemIdShareLinks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                itemId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expiresAt": "2026-01-15T09:30:00.000Z",
                 *       "password": "examplee",
                 *       "maxDownloads": 1
                 *     }
                 */
                "application/json": components["schemas"]["NewShareLink"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "share_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "itemId": "item_01k4qz0000e0080000000000ab",
                     *         "hasPassword": true,
                     *         "maxDownloads": 1,
                     *         "downloads": 1,
                     *         "expiresAt": "2026-01-15T09:30:00.000Z",
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "token": "example",
                     *         "url": "https://example.com"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MadeShareLink"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteLibraryByItemIdShareLinksByShareId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                itemId: string;
                shareId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "share_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getLibraryPreferencesStorage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "storage": "object",
                     *         "version": 1,
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["StoragePreference"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchLibraryPreferencesStorage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "storage": "object"
                 *     }
                 */
                "application/json": components["schemas"]["StoragePreferenceChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "storage": "object",
                     *         "version": 1,
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["StoragePreference"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getMcp: {
        parameters: {
            query?: {
                /** @description The agent whose tools are served, beside the agents themselves */
                agentId?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description A JSON-RPC 2.0 error */
            405: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            /** @description A JSON-RPC 2.0 error */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
        };
    };
    postMcp: {
        parameters: {
            query?: {
                /** @description The agent whose tools are served, beside the agents themselves */
                agentId?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "tools/list"
                 *     }
                 */
                "application/json": unknown;
            };
        };
        responses: {
            /** @description The reply, by itself or at the end of a stream of notifications */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    /** @example data: "example" */
                    "text/event-stream": string;
                };
            };
            /** @description A notification was taken */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The agent of the query is not known */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
            /** @description A JSON-RPC 2.0 error */
            "4XX": {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
        };
    };
    deleteMcp: {
        parameters: {
            query?: {
                /** @description The agent whose tools are served, beside the agents themselves */
                agentId?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description A JSON-RPC 2.0 error */
            405: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
            /** @description A JSON-RPC 2.0 error */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
        };
    };
    getMcpOauthCallback: {
        parameters: {
            query?: {
                state?: string;
                code?: string;
                iss?: string;
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page that says how it went */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example example */
                    "application/json": string;
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMcpOauthClientJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "client_id": "example",
                     *       "client_name": "example",
                     *       "client_uri": "example",
                     *       "redirect_uris": [
                     *         "example"
                     *       ],
                     *       "grant_types": [
                     *         "example"
                     *       ],
                     *       "response_types": [
                     *         "example"
                     *       ],
                     *       "token_endpoint_auth_method": "example"
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthClientMetadata"];
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMcpServers: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                owner?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "mcpserver_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "transport": "http",
                     *           "url": "https://example.com",
                     *           "command": "example",
                     *           "args": [
                     *             "example"
                     *           ],
                     *           "auth": {
                     *             "type": "none",
                     *             "keyId": "key_01k4qz0000e0080000000000ab",
                     *             "name": "Ada",
                     *             "scheme": "example",
                     *             "clientId": "client_01k4qz0000e0080000000000ab",
                     *             "scope": "example",
                     *             "clientSecret": {
                     *               "set": true
                     *             }
                     *           },
                     *           "status": "new",
                     *           "statusReason": "example",
                     *           "lastSyncAt": "2026-01-15T09:30:00.000Z",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpServer"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postMcpServers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "transport": "http"
                 *     }
                 */
                "application/json": components["schemas"]["NewMcpServer"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mcpserver_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "transport": "http",
                     *         "url": "https://example.com",
                     *         "command": "example",
                     *         "args": [
                     *           "example"
                     *         ],
                     *         "auth": {
                     *           "type": "none",
                     *           "keyId": "key_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "scheme": "example",
                     *           "clientId": "client_01k4qz0000e0080000000000ab",
                     *           "scope": "example",
                     *           "clientSecret": {
                     *             "set": true
                     *           }
                     *         },
                     *         "status": "new",
                     *         "statusReason": "example",
                     *         "lastSyncAt": "2026-01-15T09:30:00.000Z",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpServer"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getMcpServersByServerId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                serverId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mcpserver_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "transport": "http",
                     *         "url": "https://example.com",
                     *         "command": "example",
                     *         "args": [
                     *           "example"
                     *         ],
                     *         "auth": {
                     *           "type": "none",
                     *           "keyId": "key_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "scheme": "example",
                     *           "clientId": "client_01k4qz0000e0080000000000ab",
                     *           "scope": "example",
                     *           "clientSecret": {
                     *             "set": true
                     *           }
                     *         },
                     *         "status": "new",
                     *         "statusReason": "example",
                     *         "lastSyncAt": "2026-01-15T09:30:00.000Z",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpServer"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putMcpServersByServerId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                serverId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "transport": "http",
                 *       "url": "https://example.com",
                 *       "command": "example",
                 *       "args": [
                 *         "example"
                 *       ],
                 *       "auth": {
                 *         "type": "none"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["McpServerChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mcpserver_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "transport": "http",
                     *         "url": "https://example.com",
                     *         "command": "example",
                     *         "args": [
                     *           "example"
                     *         ],
                     *         "auth": {
                     *           "type": "none",
                     *           "keyId": "key_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "scheme": "example",
                     *           "clientId": "client_01k4qz0000e0080000000000ab",
                     *           "scope": "example",
                     *           "clientSecret": {
                     *             "set": true
                     *           }
                     *         },
                     *         "status": "new",
                     *         "statusReason": "example",
                     *         "lastSyncAt": "2026-01-15T09:30:00.000Z",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpServer"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteMcpServersByServerId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                serverId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "server_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postMcpServersByServerIdConnect: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                serverId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mcpserver_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "transport": "http",
                     *         "url": "https://example.com",
                     *         "command": "example",
                     *         "args": [
                     *           "example"
                     *         ],
                     *         "auth": {
                     *           "type": "none",
                     *           "keyId": "key_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "scheme": "example",
                     *           "clientId": "client_01k4qz0000e0080000000000ab",
                     *           "scope": "example",
                     *           "clientSecret": {
                     *             "set": true
                     *           }
                     *         },
                     *         "status": "new",
                     *         "statusReason": "example",
                     *         "lastSyncAt": "2026-01-15T09:30:00.000Z",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "authorizationUrl": "example"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpServerConnection"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postMcpServersByServerIdDisconnect: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                serverId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mcpserver_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "transport": "http",
                     *         "url": "https://example.com",
                     *         "command": "example",
                     *         "args": [
                     *           "example"
                     *         ],
                     *         "auth": {
                     *           "type": "none",
                     *           "keyId": "key_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "scheme": "example",
                     *           "clientId": "client_01k4qz0000e0080000000000ab",
                     *           "scope": "example",
                     *           "clientSecret": {
                     *             "set": true
                     *           }
                     *         },
                     *         "status": "new",
                     *         "statusReason": "example",
                     *         "lastSyncAt": "2026-01-15T09:30:00.000Z",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpServer"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getMcpServersByServerIdPrompts: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                serverId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "mcp_prompt_01k4qz0000e0080000000000ab",
                     *           "serverId": "server_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "title": "Ship the beta",
                     *           "description": "What it is about, in a sentence",
                     *           "arguments": [
                     *             {
                     *               "name": "Ada",
                     *               "description": "What it is about, in a sentence",
                     *               "required": true
                     *             }
                     *           ],
                     *           "createdAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpPrompt"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postMcpServersByServerIdPromptsByPromptName: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                serverId: string;
                promptName: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "arguments": {}
                 *     }
                 */
                "application/json": null | {
                    arguments?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "description": "What it is about, in a sentence",
                     *         "messages": [
                     *           {
                     *             "role": "example",
                     *             "content": {}
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpRenderedPrompt"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getMcpServersByServerIdResources: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                serverId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "mcp_resource_01k4qz0000e0080000000000ab",
                     *           "serverId": "server_01k4qz0000e0080000000000ab",
                     *           "type": "resource",
                     *           "uri": "example",
                     *           "name": "Ada",
                     *           "title": "Ship the beta",
                     *           "description": "What it is about, in a sentence",
                     *           "mimeType": "example",
                     *           "size": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpResource"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMcpServersByServerIdResourcesRead: {
        parameters: {
            query: {
                uri: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                serverId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "contents": [
                     *           {
                     *             "uri": "example",
                     *             "mimeType": "example",
                     *             "text": "Hello",
                     *             "blob": "example"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpResourceContents"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getMcpServersByServerIdStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                serverId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mcp_server_status_01k4qz0000e0080000000000ab",
                     *         "status": "new",
                     *         "statusReason": "example",
                     *         "lastSyncAt": "2026-01-15T09:30:00.000Z",
                     *         "open": true,
                     *         "protocolVersion": "2026-07-28",
                     *         "server": {
                     *           "name": "Ada",
                     *           "version": "example"
                     *         },
                     *         "tools": 1,
                     *         "available": 1,
                     *         "pending": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpServerStatus"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postMcpServersByServerIdSync: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                serverId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "approve": true
                 *     }
                 */
                "application/json": null | {
                    /** @description Approve every tool as it is found */
                    approve?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mcp_sync_01k4qz0000e0080000000000ab",
                     *         "tools": 1,
                     *         "resources": 1,
                     *         "prompts": 1,
                     *         "added": 1,
                     *         "changed": 1,
                     *         "approved": 1,
                     *         "gone": 1,
                     *         "pending": 1,
                     *         "refused": [
                     *           "example"
                     *         ],
                     *         "lastSyncAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpSync"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getMcpServersByServerIdTools: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                serverId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tool_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "kind": "mcp",
                     *           "name": "files__read",
                     *           "serverId": "server_01k4qz0000e0080000000000ab",
                     *           "originalName": "read",
                     *           "title": "Ship the beta",
                     *           "description": "What it is about, in a sentence",
                     *           "parameters": {},
                     *           "outputSchema": {},
                     *           "annotations": {},
                     *           "idempotent": true,
                     *           "digest": "example",
                     *           "approved": true,
                     *           "available": true,
                     *           "unavailable": "example",
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpTool"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMcpServersMarketplace: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description Part of a name or description */
                search?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "io.github.modelcontextprotocol/filesystem",
                     *           "title": "Ship the beta",
                     *           "description": "What it is about, in a sentence",
                     *           "version": "example",
                     *           "websiteUrl": "example",
                     *           "repositoryUrl": "example",
                     *           "remotes": [
                     *             {
                     *               "transport": "http",
                     *               "url": "https://example.com"
                     *             }
                     *           ],
                     *           "packages": [
                     *             {
                     *               "registry": "npm",
                     *               "identifier": "example",
                     *               "version": "example"
                     *             }
                     *           ],
                     *           "source": "registry"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpMarketplaceServer"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMcpTools: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tool_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "kind": "mcp",
                     *           "name": "files__read",
                     *           "serverId": "server_01k4qz0000e0080000000000ab",
                     *           "originalName": "read",
                     *           "title": "Ship the beta",
                     *           "description": "What it is about, in a sentence",
                     *           "parameters": {},
                     *           "outputSchema": {},
                     *           "annotations": {},
                     *           "idempotent": true,
                     *           "digest": "example",
                     *           "approved": true,
                     *           "available": true,
                     *           "unavailable": "example",
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpTool"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMcpToolsByMcpToolId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                /** @description Its id or its name */
                mcpToolId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tool_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "kind": "mcp",
                     *         "name": "files__read",
                     *         "serverId": "server_01k4qz0000e0080000000000ab",
                     *         "originalName": "read",
                     *         "title": "Ship the beta",
                     *         "description": "What it is about, in a sentence",
                     *         "parameters": {},
                     *         "outputSchema": {},
                     *         "annotations": {},
                     *         "idempotent": true,
                     *         "digest": "example",
                     *         "approved": true,
                     *         "available": true,
                     *         "unavailable": "example",
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpTool"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postMcpToolsByMcpToolIdApprove: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Its id or its name */
                mcpToolId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "digest": "example"
                 *     }
                 */
                "application/json": null | {
                    /** @description Of the definition that is meant: 409 if it has another */
                    digest?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tool_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "kind": "mcp",
                     *         "name": "files__read",
                     *         "serverId": "server_01k4qz0000e0080000000000ab",
                     *         "originalName": "read",
                     *         "title": "Ship the beta",
                     *         "description": "What it is about, in a sentence",
                     *         "parameters": {},
                     *         "outputSchema": {},
                     *         "annotations": {},
                     *         "idempotent": true,
                     *         "digest": "example",
                     *         "approved": true,
                     *         "available": true,
                     *         "unavailable": "example",
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpTool"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "agent_01k4qz0000e0080000000000ab",
                 *       "content": "The customer wants invoices by the fifth of the month."
                 *     }
                 */
                "application/json": components["schemas"]["NewMemory"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "memory_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "type": "fact",
                     *         "content": "The customer wants invoices by the fifth of the month.",
                     *         "importance": 1,
                     *         "validFrom": "2026-01-15T09:30:00.000Z",
                     *         "validTo": "2026-01-15T09:30:00.000Z",
                     *         "source": {
                     *           "runId": "run_01k4qz0000e0080000000000ab",
                     *           "messageId": "message_01k4qz0000e0080000000000ab"
                     *         },
                     *         "scopeId": "scope_01k4qz0000e0080000000000ab",
                     *         "supersedes": "example",
                     *         "supersededBy": "example",
                     *         "untrusted": true,
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Memory"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getMemoryByMemoryId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                memoryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "memory_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "type": "fact",
                     *         "content": "The customer wants invoices by the fifth of the month.",
                     *         "importance": 1,
                     *         "validFrom": "2026-01-15T09:30:00.000Z",
                     *         "validTo": "2026-01-15T09:30:00.000Z",
                     *         "source": {
                     *           "runId": "run_01k4qz0000e0080000000000ab",
                     *           "messageId": "message_01k4qz0000e0080000000000ab"
                     *         },
                     *         "scopeId": "scope_01k4qz0000e0080000000000ab",
                     *         "supersedes": "example",
                     *         "supersededBy": "example",
                     *         "untrusted": true,
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Memory"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMemoryByMemoryId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                memoryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "memory_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patchMemoryByMemoryId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                memoryId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "fact",
                 *       "content": "The customer wants invoices by the fifth of the month.",
                 *       "importance": 1,
                 *       "validFrom": "2026-01-15T09:30:00.000Z",
                 *       "validTo": "2026-01-15T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["MemoryChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "memory_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "type": "fact",
                     *         "content": "The customer wants invoices by the fifth of the month.",
                     *         "importance": 1,
                     *         "validFrom": "2026-01-15T09:30:00.000Z",
                     *         "validTo": "2026-01-15T09:30:00.000Z",
                     *         "source": {
                     *           "runId": "run_01k4qz0000e0080000000000ab",
                     *           "messageId": "message_01k4qz0000e0080000000000ab"
                     *         },
                     *         "scopeId": "scope_01k4qz0000e0080000000000ab",
                     *         "supersedes": "example",
                     *         "supersededBy": "example",
                     *         "untrusted": true,
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Memory"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getMemoryAgentsByAgentId: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description `fact`: what is so; `preference`: what somebody likes; `episode`: what happened; `instruction`: what the agent is to do */
                type?: "fact" | "preference" | "episode" | "instruction";
                /** @description Only those of this shared scope */
                scopeId?: string;
                /** @description What was so then; left out: what is so now */
                asOf?: string;
                /** @description Also what is not so any more, or not yet; not with `asOf` */
                all?: boolean;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "memory_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "agentId": "agent_01k4qz0000e0080000000000ab",
                     *           "type": "fact",
                     *           "content": "The customer wants invoices by the fifth of the month.",
                     *           "importance": 1,
                     *           "validFrom": "2026-01-15T09:30:00.000Z",
                     *           "validTo": "2026-01-15T09:30:00.000Z",
                     *           "source": {
                     *             "runId": "run_01k4qz0000e0080000000000ab",
                     *             "messageId": "message_01k4qz0000e0080000000000ab"
                     *           },
                     *           "scopeId": "scope_01k4qz0000e0080000000000ab",
                     *           "supersedes": "example",
                     *           "supersededBy": "example",
                     *           "untrusted": true,
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Memory"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMemoryAgentsByAgentIdRetrieve: {
        parameters: {
            query: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description What is looked for, as people say it */
                query: string;
                /** @description `fact`: what is so; `preference`: what somebody likes; `episode`: what happened; `instruction`: what the agent is to do */
                type?: "fact" | "preference" | "episode" | "instruction";
                /** @description What was so then; left out: what is so now */
                asOf?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "memory_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "agentId": "agent_01k4qz0000e0080000000000ab",
                     *           "type": "fact",
                     *           "content": "The customer wants invoices by the fifth of the month.",
                     *           "importance": 1,
                     *           "validFrom": "2026-01-15T09:30:00.000Z",
                     *           "validTo": "2026-01-15T09:30:00.000Z",
                     *           "source": {
                     *             "runId": "run_01k4qz0000e0080000000000ab",
                     *             "messageId": "message_01k4qz0000e0080000000000ab"
                     *           },
                     *           "scopeId": "scope_01k4qz0000e0080000000000ab",
                     *           "supersedes": "example",
                     *           "supersededBy": "example",
                     *           "untrusted": true,
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z",
                     *           "score": 1,
                     *           "why": {
                     *             "relevance": 1,
                     *             "vectorRank": 1,
                     *             "textRank": 1,
                     *             "recency": 1,
                     *             "importance": 1
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RetrievedMemory"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMemoryAgentsByAgentIdSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "contextTokens": 1,
                     *         "extraction": true,
                     *         "version": 1,
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AgentMemorySettings"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchMemoryAgentsByAgentIdSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contextTokens": 1,
                 *       "extraction": true
                 *     }
                 */
                "application/json": components["schemas"]["AgentMemorySettingsChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "contextTokens": 1,
                     *         "extraction": true,
                     *         "version": 1,
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AgentMemorySettings"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getMemoryAgentsByAgentIdStats: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "total": 1,
                     *         "types": {
                     *           "fact": 1,
                     *           "preference": 1,
                     *           "episode": 1,
                     *           "instruction": 1
                     *         },
                     *         "past": 1,
                     *         "embedding": {
                     *           "model": "example",
                     *           "embedded": 1,
                     *           "total": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MemoryStats"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postMemorySharedScopes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada"
                 *     }
                 */
                "application/json": components["schemas"]["NewSharedScope"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "scope_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "agents": [
                     *           {
                     *             "agentId": "agent_01k4qz0000e0080000000000ab",
                     *             "access": "read"
                     *           }
                     *         ],
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SharedScope"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getMemorySharedScopesByScopeId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "scope_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "agents": [
                     *           {
                     *             "agentId": "agent_01k4qz0000e0080000000000ab",
                     *             "access": "read"
                     *           }
                     *         ],
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SharedScope"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMemorySharedScopesByScopeId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "scope_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patchMemorySharedScopesByScopeId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "description": "What it is about, in a sentence",
                 *       "agents": [
                 *         {
                 *           "agentId": "agent_01k4qz0000e0080000000000ab",
                 *           "access": "read"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SharedScopeChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "scope_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "agents": [
                     *           {
                     *             "agentId": "agent_01k4qz0000e0080000000000ab",
                     *             "access": "read"
                     *           }
                     *         ],
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SharedScope"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getMemorySharedScopesAgentsByAgentId: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "scope_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "description": "What it is about, in a sentence",
                     *           "agents": [
                     *             {
                     *               "agentId": "agent_01k4qz0000e0080000000000ab",
                     *               "access": "read"
                     *             }
                     *           ],
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z",
                     *           "access": "read"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AgentScope"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getModels: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "anthropic/claude-sonnet-5-5",
                     *           "modelProvider": "openai",
                     *           "modelId": "gpt-4.1-mini",
                     *           "name": "Ada",
                     *           "contextTokens": 1,
                     *           "outputTokens": 1,
                     *           "inputModalities": [
                     *             "text"
                     *           ],
                     *           "modalities": [
                     *             "language"
                     *           ],
                     *           "dimensions": 1,
                     *           "configured": true,
                     *           "default": true
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Model"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getModelsEmbedding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "modelProvider": "openai",
                     *         "modelId": "gpt-4.1-mini",
                     *         "source": "project",
                     *         "version": 1,
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EmbeddingModelChoice"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putModelsEmbedding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "modelProvider": "openai",
                 *       "modelId": "gpt-4.1-mini"
                 *     }
                 */
                "application/json": components["schemas"]["EmbeddingModelChoiceReplacement"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "modelProvider": "openai",
                     *         "modelId": "gpt-4.1-mini",
                     *         "source": "project",
                     *         "version": 1,
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EmbeddingModelChoice"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteModelsEmbedding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "id_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getModelsProviders: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "anthropic",
                     *           "name": "Ada",
                     *           "configured": true,
                     *           "source": "project",
                     *           "baseUrl": "https://example.com",
                     *           "apiKey": {
                     *             "set": true
                     *           },
                     *           "modalities": [
                     *             "language"
                     *           ],
                     *           "models": [
                     *             {
                     *               "modelId": "gpt-4.1-mini",
                     *               "name": "Ada",
                     *               "contextTokens": 1,
                     *               "outputTokens": 1,
                     *               "inputModalities": [
                     *                 "text"
                     *               ]
                     *             }
                     *           ],
                     *           "version": 1,
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ModelProvider"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getModelsProvidersByProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "anthropic",
                     *         "name": "Ada",
                     *         "configured": true,
                     *         "source": "project",
                     *         "baseUrl": "https://example.com",
                     *         "apiKey": {
                     *           "set": true
                     *         },
                     *         "modalities": [
                     *           "language"
                     *         ],
                     *         "models": [
                     *           {
                     *             "modelId": "gpt-4.1-mini",
                     *             "name": "Ada",
                     *             "contextTokens": 1,
                     *             "outputTokens": 1,
                     *             "inputModalities": [
                     *               "text"
                     *             ]
                     *           }
                     *         ],
                     *         "version": 1,
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ModelProvider"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putModelsProvidersByProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "baseUrl": "https://example.com",
                 *       "apiKey": "example"
                 *     }
                 */
                "application/json": components["schemas"]["ModelProviderChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "anthropic",
                     *         "name": "Ada",
                     *         "configured": true,
                     *         "source": "project",
                     *         "baseUrl": "https://example.com",
                     *         "apiKey": {
                     *           "set": true
                     *         },
                     *         "modalities": [
                     *           "language"
                     *         ],
                     *         "models": [
                     *           {
                     *             "modelId": "gpt-4.1-mini",
                     *             "name": "Ada",
                     *             "contextTokens": 1,
                     *             "outputTokens": 1,
                     *             "inputModalities": [
                     *               "text"
                     *             ]
                     *           }
                     *         ],
                     *         "version": 1,
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ModelProvider"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteModelsProvidersByProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "provider_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getPacks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "goals",
                     *           "area": "example",
                     *           "summary": "example",
                     *           "status": "running",
                     *           "reason": null,
                     *           "enabled": {
                     *             "value": true,
                     *             "from": "environment"
                     *           },
                     *           "settings": {},
                     *           "requires": [
                     *             "goals"
                     *           ],
                     *           "uses": [
                     *             "goals"
                     *           ],
                     *           "digest": "9f86d081884c7d65",
                     *           "desiredDigest": "9f86d081884c7d65",
                     *           "instances": [
                     *             {
                     *               "instance": 1,
                     *               "status": "running",
                     *               "digest": "9f86d081884c7d65",
                     *               "reason": null,
                     *               "at": "2026-01-15T09:30:00.000Z"
                     *             }
                     *           ],
                     *           "deadLettered": [
                     *             {
                     *               "id": "dead_lettered_fact_01k4qz0000e0080000000000ab",
                     *               "name": "Ada",
                     *               "subject": "example",
                     *               "attempts": 1,
                     *               "error": "example",
                     *               "deadLetteredAt": "2026-01-15T09:30:00.000Z"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Pack"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPacksByName: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "name": "goals",
                     *         "area": "example",
                     *         "summary": "example",
                     *         "status": "running",
                     *         "reason": null,
                     *         "enabled": {
                     *           "value": true,
                     *           "from": "environment"
                     *         },
                     *         "settings": {},
                     *         "requires": [
                     *           "goals"
                     *         ],
                     *         "uses": [
                     *           "goals"
                     *         ],
                     *         "digest": "9f86d081884c7d65",
                     *         "desiredDigest": "9f86d081884c7d65",
                     *         "instances": [
                     *           {
                     *             "instance": 1,
                     *             "status": "running",
                     *             "digest": "9f86d081884c7d65",
                     *             "reason": null,
                     *             "at": "2026-01-15T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "deadLettered": [
                     *           {
                     *             "id": "dead_lettered_fact_01k4qz0000e0080000000000ab",
                     *             "name": "Ada",
                     *             "subject": "example",
                     *             "attempts": 1,
                     *             "error": "example",
                     *             "deadLetteredAt": "2026-01-15T09:30:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Pack"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putPacksByName: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true,
                 *       "settings": {}
                 *     }
                 */
                "application/json": components["schemas"]["PackChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "name": "goals",
                     *         "area": "example",
                     *         "summary": "example",
                     *         "status": "running",
                     *         "reason": null,
                     *         "enabled": {
                     *           "value": true,
                     *           "from": "environment"
                     *         },
                     *         "settings": {},
                     *         "requires": [
                     *           "goals"
                     *         ],
                     *         "uses": [
                     *           "goals"
                     *         ],
                     *         "digest": "9f86d081884c7d65",
                     *         "desiredDigest": "9f86d081884c7d65",
                     *         "instances": [
                     *           {
                     *             "instance": 1,
                     *             "status": "running",
                     *             "digest": "9f86d081884c7d65",
                     *             "reason": null,
                     *             "at": "2026-01-15T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "deadLettered": [
                     *           {
                     *             "id": "dead_lettered_fact_01k4qz0000e0080000000000ab",
                     *             "name": "Ada",
                     *             "subject": "example",
                     *             "attempts": 1,
                     *             "error": "example",
                     *             "deadLetteredAt": "2026-01-15T09:30:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Pack"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deletePacksByName: {
        parameters: {
            query?: {
                /** @description Whether its tables go too */
                dropData?: boolean;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "goals",
                     *         "deleted": true,
                     *         "settings": [
                     *           "example"
                     *         ],
                     *         "choices": 1,
                     *         "facts": 1,
                     *         "tables": [
                     *           "example"
                     *         ],
                     *         "migrations": [
                     *           "example"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RemovedPack"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postPacksByNameDeadLetteredByFactIdReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                name: string;
                factId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "replayed_fact_01k4qz0000e0080000000000ab",
                     *         "handled": true,
                     *         "error": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ReplayedFact"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postPacksByNameReload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "name": "goals",
                     *         "area": "example",
                     *         "summary": "example",
                     *         "status": "running",
                     *         "reason": null,
                     *         "enabled": {
                     *           "value": true,
                     *           "from": "environment"
                     *         },
                     *         "settings": {},
                     *         "requires": [
                     *           "goals"
                     *         ],
                     *         "uses": [
                     *           "goals"
                     *         ],
                     *         "digest": "9f86d081884c7d65",
                     *         "desiredDigest": "9f86d081884c7d65",
                     *         "instances": [
                     *           {
                     *             "instance": 1,
                     *             "status": "running",
                     *             "digest": "9f86d081884c7d65",
                     *             "reason": null,
                     *             "at": "2026-01-15T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "deadLettered": [
                     *           {
                     *             "id": "dead_lettered_fact_01k4qz0000e0080000000000ab",
                     *             "name": "Ada",
                     *             "subject": "example",
                     *             "attempts": 1,
                     *             "error": "example",
                     *             "deadLetteredAt": "2026-01-15T09:30:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Pack"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getPacksChanges: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description Only those of this pack */
                pack?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "change_01k4qz0000e0080000000000ab",
                     *           "at": "2026-01-15T09:30:00.000Z",
                     *           "actor": "example",
                     *           "instance": 1,
                     *           "pack": "goals",
                     *           "action": "enabled",
                     *           "outcome": "applied",
                     *           "reason": null,
                     *           "fromDigest": "9f86d081884c7d65",
                     *           "toDigest": "9f86d081884c7d65",
                     *           "migrations": [
                     *             "example"
                     *           ],
                     *           "buildMs": 1,
                     *           "drained": 1,
                     *           "dropped": 1,
                     *           "before": {
                     *             "requests": 1,
                     *             "p50": 1,
                     *             "p99": 1
                     *           },
                     *           "after": {
                     *             "requests": 1,
                     *             "p50": 1,
                     *             "p99": 1
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PackChange"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRuntimeAgentsByAgentIdTools: {
        parameters: {
            query?: {
                /** @description Tools a page; no agent has more */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tool_01k4qz0000e0080000000000ab",
                     *           "name": "get_weather",
                     *           "description": "What it is about, in a sentence",
                     *           "parameters": {},
                     *           "idempotent": true,
                     *           "policy": "allow"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OfferedTool"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postRuntimeAgentsByAgentIdToolsInvoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "toolName": "example"
                 *     }
                 */
                "application/json": components["schemas"]["ToolInvocation"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "callId": "call_01k4qz0000e0080000000000ab",
                     *         "output": {},
                     *         "isError": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolOutcome"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "agent_01k4qz0000e0080000000000ab",
                 *       "metadata": {
                 *         "channel": "web"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewSession"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "session_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "initiator": "user_01k4qz0000e0080000000000ab",
                     *         "title": "Trip to Lisbon",
                     *         "metadata": {
                     *           "channel": "web"
                     *         },
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Session"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getSessionsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "session_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "initiator": "user_01k4qz0000e0080000000000ab",
                     *         "title": "Trip to Lisbon",
                     *         "metadata": {
                     *           "channel": "web"
                     *         },
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Session"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSessionsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "session_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patchSessionsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Trip to Lisbon",
                 *       "metadata": {
                 *         "channel": "web"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SessionChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "session_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "initiator": "user_01k4qz0000e0080000000000ab",
                     *         "title": "Trip to Lisbon",
                     *         "metadata": {
                     *           "channel": "web"
                     *         },
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Session"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getSessionsByIdFull: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "session_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "initiator": "user_01k4qz0000e0080000000000ab",
                     *         "title": "Trip to Lisbon",
                     *         "metadata": {
                     *           "channel": "web"
                     *         },
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "messages": [
                     *           {
                     *             "id": "message_01k4qz0000e0080000000000ab",
                     *             "sessionId": "session_01k4qz0000e0080000000000ab",
                     *             "runId": "run_01k4qz0000e0080000000000ab",
                     *             "content": "Hello",
                     *             "createdAt": "2026-01-15T09:30:00.000Z",
                     *             "role": "user",
                     *             "untrusted": true,
                     *             "attachments": [
                     *               {
                     *                 "fileId": "file_01k4qz0000e0080000000000ab"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["FullSession"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSessionsAgentByAgentId: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "session_01k4qz0000e0080000000000ab",
                     *           "agentId": "agent_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "initiator": "user_01k4qz0000e0080000000000ab",
                     *           "title": "Trip to Lisbon",
                     *           "metadata": {
                     *             "channel": "web"
                     *           },
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Session"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSessionsListByAgentIdByInitiator: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
                /** @description Who began them: a user, or whom a service acted for */
                initiator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "session_01k4qz0000e0080000000000ab",
                     *           "agentId": "agent_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "initiator": "user_01k4qz0000e0080000000000ab",
                     *           "title": "Trip to Lisbon",
                     *           "metadata": {
                     *             "channel": "web"
                     *           },
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Session"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSessionsUserByInitiator: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                /** @description Who began them: a user, or whom a service acted for */
                initiator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "session_01k4qz0000e0080000000000ab",
                     *           "agentId": "agent_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "initiator": "user_01k4qz0000e0080000000000ab",
                     *           "title": "Trip to Lisbon",
                     *           "metadata": {
                     *             "channel": "web"
                     *           },
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Session"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSharedArtifactsByToken: {
        parameters: {
            query?: never;
            header?: {
                "x-share-password"?: string;
            };
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description The range */
            206: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    headSharedArtifactsByToken: {
        parameters: {
            query?: never;
            header?: {
                "x-share-password"?: string;
            };
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description The range */
            206: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSkills: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "skill_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "slug": "pdf-forms",
                     *           "name": "pdf-forms",
                     *           "description": "What it is about, in a sentence",
                     *           "license": "example",
                     *           "compatibility": "example",
                     *           "metadata": {},
                     *           "allowedTools": [
                     *             "example"
                     *           ],
                     *           "extensions": {},
                     *           "origin": "created",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SkillSummary"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postSkills: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "pdf-forms",
                 *       "description": "What it is about, in a sentence",
                 *       "slug": "pdf-forms"
                 *     }
                 */
                "application/json": components["schemas"]["NewSkill"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "skill_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "slug": "pdf-forms",
                     *         "name": "pdf-forms",
                     *         "description": "What it is about, in a sentence",
                     *         "license": "example",
                     *         "compatibility": "example",
                     *         "metadata": {},
                     *         "allowedTools": [
                     *           "example"
                     *         ],
                     *         "extensions": {},
                     *         "origin": "created",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "instructions": "You are a helpful assistant.",
                     *         "files": [
                     *           {
                     *             "path": "references/fields.md",
                     *             "encoding": "utf8",
                     *             "size": 1,
                     *             "sha256": "example",
                     *             "executable": true
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Skill"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getSkillsById: {
        parameters: {
            query?: {
                format?: "json" | "zip" | "markdown";
                /** @description As it was then; the latest are kept */
                version?: number;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                /** @description Its id or its slug */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "skill_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "slug": "pdf-forms",
                     *         "name": "pdf-forms",
                     *         "description": "What it is about, in a sentence",
                     *         "license": "example",
                     *         "compatibility": "example",
                     *         "metadata": {},
                     *         "allowedTools": [
                     *           "example"
                     *         ],
                     *         "extensions": {},
                     *         "origin": "created",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "instructions": "You are a helpful assistant.",
                     *         "files": [
                     *           {
                     *             "path": "references/fields.md",
                     *             "encoding": "utf8",
                     *             "size": 1,
                     *             "sha256": "example",
                     *             "executable": true
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Skill"];
                    };
                    "application/zip": Blob;
                    "text/markdown": Blob;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putSkillsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Its id or its slug */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "slug": "pdf-forms",
                 *       "name": "pdf-forms",
                 *       "description": "What it is about, in a sentence",
                 *       "license": "example",
                 *       "compatibility": "example",
                 *       "metadata": {},
                 *       "allowedTools": [
                 *         "example"
                 *       ],
                 *       "extensions": {},
                 *       "instructions": "You are a helpful assistant.",
                 *       "files": [
                 *         {
                 *           "path": "references/fields.md",
                 *           "encoding": "utf8",
                 *           "executable": false
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SkillChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "skill_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "slug": "pdf-forms",
                     *         "name": "pdf-forms",
                     *         "description": "What it is about, in a sentence",
                     *         "license": "example",
                     *         "compatibility": "example",
                     *         "metadata": {},
                     *         "allowedTools": [
                     *           "example"
                     *         ],
                     *         "extensions": {},
                     *         "origin": "created",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "instructions": "You are a helpful assistant.",
                     *         "files": [
                     *           {
                     *             "path": "references/fields.md",
                     *             "encoding": "utf8",
                     *             "size": 1,
                     *             "sha256": "example",
                     *             "executable": true
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Skill"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteSkillsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                /** @description Its id or its slug */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "skill_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    putSkillsByIdAgentsByAgentId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                /** @description Its id or its slug */
                id: string;
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "attached": true
                 *     }
                 */
                "application/json": components["schemas"]["SkillAttachmentChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "skillId": "skill_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "attached": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SkillAttachment"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getSkillsAgentsByAgentId: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "skill_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "slug": "pdf-forms",
                     *           "name": "pdf-forms",
                     *           "description": "What it is about, in a sentence",
                     *           "license": "example",
                     *           "compatibility": "example",
                     *           "metadata": {},
                     *           "allowedTools": [
                     *             "example"
                     *           ],
                     *           "extensions": {},
                     *           "origin": "created",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SkillSummary"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postSkillsImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": Blob;
                "application/zip": Blob;
                "text/markdown": Blob;
                /** @example  */
                "application/json": Blob;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "skill_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "slug": "pdf-forms",
                     *         "name": "pdf-forms",
                     *         "description": "What it is about, in a sentence",
                     *         "license": "example",
                     *         "compatibility": "example",
                     *         "metadata": {},
                     *         "allowedTools": [
                     *           "example"
                     *         ],
                     *         "extensions": {},
                     *         "origin": "created",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "instructions": "You are a helpful assistant.",
                     *         "files": [
                     *           {
                     *             "path": "references/fields.md",
                     *             "encoding": "utf8",
                     *             "size": 1,
                     *             "sha256": "example",
                     *             "executable": true
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Skill"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getSkillsIndex: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description Only those of this agent */
                agentId?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "skill_01k4qz0000e0080000000000ab",
                     *           "slug": "pdf-forms",
                     *           "name": "pdf-forms",
                     *           "description": "What it is about, in a sentence",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SkillIndexEntry"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTasks: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description Only those of this agent */
                agentId?: string;
                /** @description Only those of this session */
                sessionId?: string;
                /** @description `scheduled`: nothing is under way; `nextRunAt` says when it runs, null: when it is executed by hand. `queued`, `running`, `waiting` (for a person or the outside): its newest run. The others: how that ended, and no more is scheduled */
                status?: "scheduled" | "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "task_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "agentId": "agent_01k4qz0000e0080000000000ab",
                     *           "sessionId": "session_01k4qz0000e0080000000000ab",
                     *           "title": "Ship the beta",
                     *           "description": "What it is about, in a sentence",
                     *           "executionMode": "single",
                     *           "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *           "input": {},
                     *           "cronExpression": "0 9 * * 1",
                     *           "isRecurring": true,
                     *           "scheduledFor": "2026-01-15T09:30:00.000Z",
                     *           "timezone": "Europe/Berlin",
                     *           "retry": {
                     *             "attempts": 1,
                     *             "backoffSeconds": 1
                     *           },
                     *           "status": "scheduled",
                     *           "nextRunAt": "2026-01-15T09:30:00.000Z",
                     *           "lastRunAt": "2026-01-15T09:30:00.000Z",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Task"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postTasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "agent_01k4qz0000e0080000000000ab",
                 *       "title": "Write the report of the week",
                 *       "cronExpression": "0 9 * * 1",
                 *       "isRecurring": true,
                 *       "timezone": "Europe/Berlin"
                 *     }
                 */
                "application/json": components["schemas"]["NewTask"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "task_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "title": "Ship the beta",
                     *         "description": "What it is about, in a sentence",
                     *         "executionMode": "single",
                     *         "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *         "input": {},
                     *         "cronExpression": "0 9 * * 1",
                     *         "isRecurring": true,
                     *         "scheduledFor": "2026-01-15T09:30:00.000Z",
                     *         "timezone": "Europe/Berlin",
                     *         "retry": {
                     *           "attempts": 1,
                     *           "backoffSeconds": 1
                     *         },
                     *         "status": "scheduled",
                     *         "nextRunAt": "2026-01-15T09:30:00.000Z",
                     *         "lastRunAt": "2026-01-15T09:30:00.000Z",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getTasksById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "task_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "title": "Ship the beta",
                     *         "description": "What it is about, in a sentence",
                     *         "executionMode": "single",
                     *         "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *         "input": {},
                     *         "cronExpression": "0 9 * * 1",
                     *         "isRecurring": true,
                     *         "scheduledFor": "2026-01-15T09:30:00.000Z",
                     *         "timezone": "Europe/Berlin",
                     *         "retry": {
                     *           "attempts": 1,
                     *           "backoffSeconds": 1
                     *         },
                     *         "status": "scheduled",
                     *         "nextRunAt": "2026-01-15T09:30:00.000Z",
                     *         "lastRunAt": "2026-01-15T09:30:00.000Z",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putTasksByTaskId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Ship the beta"
                 *     }
                 */
                "application/json": components["schemas"]["TaskReplacement"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "task_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "title": "Ship the beta",
                     *         "description": "What it is about, in a sentence",
                     *         "executionMode": "single",
                     *         "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *         "input": {},
                     *         "cronExpression": "0 9 * * 1",
                     *         "isRecurring": true,
                     *         "scheduledFor": "2026-01-15T09:30:00.000Z",
                     *         "timezone": "Europe/Berlin",
                     *         "retry": {
                     *           "attempts": 1,
                     *           "backoffSeconds": 1
                     *         },
                     *         "status": "scheduled",
                     *         "nextRunAt": "2026-01-15T09:30:00.000Z",
                     *         "lastRunAt": "2026-01-15T09:30:00.000Z",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteTasksById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "task_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patchTasksByTaskId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "agent_01k4qz0000e0080000000000ab",
                 *       "sessionId": "session_01k4qz0000e0080000000000ab",
                 *       "title": "Ship the beta",
                 *       "description": "What it is about, in a sentence",
                 *       "executionMode": "single",
                 *       "workflowId": "workflow_01k4qz0000e0080000000000ab",
                 *       "input": {},
                 *       "cronExpression": "0 9 * * 1",
                 *       "isRecurring": true,
                 *       "scheduledFor": "2026-01-15T09:30:00.000Z",
                 *       "timezone": "Europe/Berlin",
                 *       "retry": {
                 *         "attempts": 1,
                 *         "backoffSeconds": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TaskChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "task_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "title": "Ship the beta",
                     *         "description": "What it is about, in a sentence",
                     *         "executionMode": "single",
                     *         "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *         "input": {},
                     *         "cronExpression": "0 9 * * 1",
                     *         "isRecurring": true,
                     *         "scheduledFor": "2026-01-15T09:30:00.000Z",
                     *         "timezone": "Europe/Berlin",
                     *         "retry": {
                     *           "attempts": 1,
                     *           "backoffSeconds": 1
                     *         },
                     *         "status": "scheduled",
                     *         "nextRunAt": "2026-01-15T09:30:00.000Z",
                     *         "lastRunAt": "2026-01-15T09:30:00.000Z",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postTasksByIdCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "task_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "title": "Ship the beta",
                     *         "description": "What it is about, in a sentence",
                     *         "executionMode": "single",
                     *         "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *         "input": {},
                     *         "cronExpression": "0 9 * * 1",
                     *         "isRecurring": true,
                     *         "scheduledFor": "2026-01-15T09:30:00.000Z",
                     *         "timezone": "Europe/Berlin",
                     *         "retry": {
                     *           "attempts": 1,
                     *           "backoffSeconds": 1
                     *         },
                     *         "status": "scheduled",
                     *         "nextRunAt": "2026-01-15T09:30:00.000Z",
                     *         "lastRunAt": "2026-01-15T09:30:00.000Z",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postTasksByIdExecute: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "taskrun_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "taskId": "task_01k4qz0000e0080000000000ab",
                     *         "status": "queued",
                     *         "trigger": "schedule",
                     *         "attempt": 1,
                     *         "runId": "run_01k4qz0000e0080000000000ab",
                     *         "executionId": "execution_01k4qz0000e0080000000000ab",
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "input": {},
                     *         "output": {},
                     *         "error": null,
                     *         "scheduledFor": "2026-01-15T09:30:00.000Z",
                     *         "startedAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z",
                     *         "createdAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TaskRun"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getTasksByIdRuns: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "taskrun_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "taskId": "task_01k4qz0000e0080000000000ab",
                     *           "status": "queued",
                     *           "trigger": "schedule",
                     *           "attempt": 1,
                     *           "runId": "run_01k4qz0000e0080000000000ab",
                     *           "executionId": "execution_01k4qz0000e0080000000000ab",
                     *           "sessionId": "session_01k4qz0000e0080000000000ab",
                     *           "input": {},
                     *           "output": {},
                     *           "error": null,
                     *           "scheduledFor": "2026-01-15T09:30:00.000Z",
                     *           "startedAt": "2026-01-15T09:30:00.000Z",
                     *           "endedAt": "2026-01-15T09:30:00.000Z",
                     *           "createdAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TaskRun"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTasksByIdStream: {
        parameters: {
            query?: {
                /** @description Another run than the newest one */
                run?: string;
                /** @description `seq` of the last event received */
                after?: number;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description `seq` of the last event that was received; the stream goes on after it */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-Sent Events, each a `data: <JSON>` frame */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example data: {"type":"status","taskRunId":"task_run_01k4qz0000e0080000000000ab","seq":1,"status":"queued","attempt":1,"runId":"run_01k4qz0000e0080000000000ab","executionId":"execution_01k4qz0000e0080000000000ab","sessionId":"session_01k4qz0000e0080000000000ab","at":"2026-01-15T09:30:00.000Z","error":{"code":"example","message":"Hello"}} */
                    "text/event-stream": components["schemas"]["TaskEvent"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchTasksByTaskIdSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scheduledFor": "2026-01-15T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["TaskTime"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "task_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "sessionId": "session_01k4qz0000e0080000000000ab",
                     *         "title": "Ship the beta",
                     *         "description": "What it is about, in a sentence",
                     *         "executionMode": "single",
                     *         "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *         "input": {},
                     *         "cronExpression": "0 9 * * 1",
                     *         "isRecurring": true,
                     *         "scheduledFor": "2026-01-15T09:30:00.000Z",
                     *         "timezone": "Europe/Berlin",
                     *         "retry": {
                     *           "attempts": 1,
                     *           "backoffSeconds": 1
                     *         },
                     *         "status": "scheduled",
                     *         "nextRunAt": "2026-01-15T09:30:00.000Z",
                     *         "lastRunAt": "2026-01-15T09:30:00.000Z",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getToolKeys: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tkey_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "description": "What it is about, in a sentence",
                     *           "allowedHosts": [
                     *             "example"
                     *           ],
                     *           "prefix": "example",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z",
                     *           "rotatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolKey"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postToolKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "value": "examplee",
                 *       "allowedHosts": [
                 *         "api.example.com"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewToolKey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tkey_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "allowedHosts": [
                     *           "example"
                     *         ],
                     *         "prefix": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "rotatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolKey"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getToolKeysByKeyId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tkey_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "allowedHosts": [
                     *           "example"
                     *         ],
                     *         "prefix": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "rotatedAt": "2026-01-15T09:30:00.000Z",
                     *         "mappings": [
                     *           {
                     *             "id": "tmap_01k4qz0000e0080000000000ab",
                     *             "owner": "user_01k4qz0000e0080000000000ab",
                     *             "keyId": "key_01k4qz0000e0080000000000ab",
                     *             "toolId": "tool_01k4qz0000e0080000000000ab",
                     *             "in": "header",
                     *             "name": "Ada",
                     *             "createdAt": "2026-01-15T09:30:00.000Z",
                     *             "toolName": "example"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolKeyInUse"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteToolKeysByKeyId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "deleted_tool_key_01k4qz0000e0080000000000ab",
                     *         "deleted": true,
                     *         "mappings": [
                     *           {
                     *             "id": "deleted_tool_key_01k4qz0000e0080000000000ab",
                     *             "toolId": "tool_01k4qz0000e0080000000000ab",
                     *             "toolName": "example"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeletedToolKey"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    putToolKeysByKeyIdMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "description": "What it is about, in a sentence",
                 *       "allowedHosts": [
                 *         "api.example.com"
                 *       ],
                 *       "value": "examplee"
                 *     }
                 */
                "application/json": components["schemas"]["ToolKeyChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tkey_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "allowedHosts": [
                     *           "example"
                     *         ],
                     *         "prefix": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "rotatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolKey"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postToolKeysByKeyIdTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com",
                 *       "method": "GET",
                 *       "in": "header",
                 *       "name": "Ada"
                 *     }
                 */
                "application/json": null | components["schemas"]["NewToolKeyTest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "ok": true,
                     *         "status": 1,
                     *         "milliseconds": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolKeyTest"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Upstream"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    putToolKeysByKeyIdValue: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "examplee"
                 *     }
                 */
                "application/json": components["schemas"]["ToolKeyValue"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tkey_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "allowedHosts": [
                     *           "example"
                     *         ],
                     *         "prefix": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "rotatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolKey"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postToolKeysMap: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "keyId": "key_01k4qz0000e0080000000000ab",
                 *       "toolId": "tool_01k4qz0000e0080000000000ab",
                 *       "in": "header",
                 *       "name": "Ada"
                 *     }
                 */
                "application/json": components["schemas"]["NewToolKeyMapping"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tmap_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "keyId": "key_01k4qz0000e0080000000000ab",
                     *         "toolId": "tool_01k4qz0000e0080000000000ab",
                     *         "in": "header",
                     *         "name": "Ada",
                     *         "createdAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolKeyMapping"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteToolKeysMapByMappingId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                mappingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mapping_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteToolPermissionsByPermissionId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                permissionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "permission_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getToolPermissionsAccessibleTools: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tool_01k4qz0000e0080000000000ab",
                     *           "name": "get_weather",
                     *           "kind": "http",
                     *           "description": "What it is about, in a sentence",
                     *           "parameters": {},
                     *           "idempotent": true,
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "available": true,
                     *           "unavailable": "example",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z",
                     *           "grant": {
                     *             "reason": "static",
                     *             "level": "use",
                     *             "permissionId": "permission_01k4qz0000e0080000000000ab"
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AccessibleTool"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postToolPermissionsBatchGrant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grants": [
                 *         {
                 *           "toolId": "tool_01k4qz0000e0080000000000ab",
                 *           "subjectType": "user",
                 *           "subjectId": "subject_01k4qz0000e0080000000000ab",
                 *           "level": "use"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewToolPermissions"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "perm_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "toolId": "tool_01k4qz0000e0080000000000ab",
                     *           "subjectType": "user",
                     *           "subjectId": "subject_01k4qz0000e0080000000000ab",
                     *           "level": "use",
                     *           "grantedBy": "example",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolPermission"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "perm_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "toolId": "tool_01k4qz0000e0080000000000ab",
                     *           "subjectType": "user",
                     *           "subjectId": "subject_01k4qz0000e0080000000000ab",
                     *           "level": "use",
                     *           "grantedBy": "example",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolPermission"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getToolPermissionsCheck: {
        parameters: {
            query: {
                /** @description Its id or its name */
                toolId: string;
                /** @description With `subjectId`; default: the caller */
                subjectType?: "user" | "agent" | "service" | "project";
                /** @description Of a project: its id */
                subjectId?: string;
                level?: "use" | "manage";
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "allowed": true,
                     *         "reason": "static",
                     *         "permissionId": "permission_01k4qz0000e0080000000000ab",
                     *         "level": "use"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolCheck"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getToolPermissionsCheckAgentAccess: {
        parameters: {
            query: {
                agentId: string;
                /** @description Its id or its name */
                toolId: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "allowed": true,
                     *         "reason": "allowed",
                     *         "policy": "allow",
                     *         "principal": {
                     *           "reason": "static",
                     *           "level": "use",
                     *           "permissionId": "permission_01k4qz0000e0080000000000ab"
                     *         },
                     *         "agent": {
                     *           "reason": "static",
                     *           "level": "use",
                     *           "permissionId": "permission_01k4qz0000e0080000000000ab"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolAgentCheck"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postToolPermissionsGrant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "toolId": "tool_01k4qz0000e0080000000000ab",
                 *       "subjectType": "user",
                 *       "subjectId": "subject_01k4qz0000e0080000000000ab",
                 *       "level": "use"
                 *     }
                 */
                "application/json": components["schemas"]["NewToolPermission"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "perm_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "toolId": "tool_01k4qz0000e0080000000000ab",
                     *         "subjectType": "user",
                     *         "subjectId": "subject_01k4qz0000e0080000000000ab",
                     *         "level": "use",
                     *         "grantedBy": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolPermission"];
                    };
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "perm_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "toolId": "tool_01k4qz0000e0080000000000ab",
                     *         "subjectType": "user",
                     *         "subjectId": "subject_01k4qz0000e0080000000000ab",
                     *         "level": "use",
                     *         "grantedBy": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolPermission"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getToolPermissionsSubject: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description With `subjectId`; default: the caller */
                subjectType?: "user" | "agent" | "service" | "project";
                /** @description Of a project: its id */
                subjectId?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "perm_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "toolId": "tool_01k4qz0000e0080000000000ab",
                     *           "subjectType": "user",
                     *           "subjectId": "subject_01k4qz0000e0080000000000ab",
                     *           "level": "use",
                     *           "grantedBy": "example",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolPermission"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getToolPermissionsToolByToolId: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                toolId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "perm_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "toolId": "tool_01k4qz0000e0080000000000ab",
                     *           "subjectType": "user",
                     *           "subjectId": "subject_01k4qz0000e0080000000000ab",
                     *           "level": "use",
                     *           "grantedBy": "example",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolPermission"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postToolPermissionsTransferOwnership: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "toolId": "tool_01k4qz0000e0080000000000ab",
                 *       "newOwner": "example",
                 *       "keepUse": false
                 *     }
                 */
                "application/json": components["schemas"]["ToolTransfer"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tool_transferred_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "formerOwner": "example",
                     *         "mappingsDropped": 1,
                     *         "permissionsDropped": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolTransferred"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getTools: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description Only those of this kind */
                kind?: string;
                /** @description Only those of this owner */
                owner?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tool_01k4qz0000e0080000000000ab",
                     *           "name": "get_weather",
                     *           "kind": "http",
                     *           "description": "What it is about, in a sentence",
                     *           "parameters": {},
                     *           "config": {},
                     *           "idempotent": true,
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "available": true,
                     *           "unavailable": "example",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Tool"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postTools: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "get_weather",
                 *       "kind": "http",
                 *       "description": "What it is about, in a sentence",
                 *       "config": {},
                 *       "idempotent": false
                 *     }
                 */
                "application/json": components["schemas"]["NewTool"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tool_01k4qz0000e0080000000000ab",
                     *         "name": "get_weather",
                     *         "kind": "http",
                     *         "description": "What it is about, in a sentence",
                     *         "parameters": {},
                     *         "config": {},
                     *         "idempotent": true,
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "available": true,
                     *         "unavailable": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Tool"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getToolsByName: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                /** @description Name or id */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tool_01k4qz0000e0080000000000ab",
                     *         "name": "get_weather",
                     *         "kind": "http",
                     *         "description": "What it is about, in a sentence",
                     *         "parameters": {},
                     *         "config": {},
                     *         "idempotent": true,
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "available": true,
                     *         "unavailable": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Tool"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putToolsByName: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Name or id */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "get_weather",
                 *       "description": "What it is about, in a sentence",
                 *       "parameters": {},
                 *       "config": {},
                 *       "idempotent": true
                 *     }
                 */
                "application/json": components["schemas"]["ToolChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tool_01k4qz0000e0080000000000ab",
                     *         "name": "get_weather",
                     *         "kind": "http",
                     *         "description": "What it is about, in a sentence",
                     *         "parameters": {},
                     *         "config": {},
                     *         "idempotent": true,
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "available": true,
                     *         "unavailable": "example",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Tool"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteToolsByName: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                /** @description Name or id */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "name_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getToolsCalls: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                agentId?: string;
                runId?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "call_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "agentId": "agent_01k4qz0000e0080000000000ab",
                     *           "runId": "run_01k4qz0000e0080000000000ab",
                     *           "toolId": "tool_01k4qz0000e0080000000000ab",
                     *           "toolName": "example",
                     *           "kind": "example",
                     *           "actor": {
                     *             "id": "tool_call_01k4qz0000e0080000000000ab",
                     *             "type": "example"
                     *           },
                     *           "grants": {
                     *             "principal": {
                     *               "reason": "ownership",
                     *               "level": "example",
                     *               "permissionId": "permission_01k4qz0000e0080000000000ab"
                     *             },
                     *             "agent": {
                     *               "reason": "ownership",
                     *               "level": "example",
                     *               "permissionId": "permission_01k4qz0000e0080000000000ab"
                     *             }
                     *           },
                     *           "keyIds": [
                     *             "key_01k4qz0000e0080000000000ab"
                     *           ],
                     *           "approved": true,
                     *           "status": "running",
                     *           "size": 1,
                     *           "milliseconds": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "endedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolCall"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getToolsCallsByCallId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                callId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "call_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "agentId": "agent_01k4qz0000e0080000000000ab",
                     *         "runId": "run_01k4qz0000e0080000000000ab",
                     *         "toolId": "tool_01k4qz0000e0080000000000ab",
                     *         "toolName": "example",
                     *         "kind": "example",
                     *         "actor": {
                     *           "id": "tool_call_01k4qz0000e0080000000000ab",
                     *           "type": "example"
                     *         },
                     *         "grants": {
                     *           "principal": {
                     *             "reason": "ownership",
                     *             "level": "example",
                     *             "permissionId": "permission_01k4qz0000e0080000000000ab"
                     *           },
                     *           "agent": {
                     *             "reason": "ownership",
                     *             "level": "example",
                     *             "permissionId": "permission_01k4qz0000e0080000000000ab"
                     *           }
                     *         },
                     *         "keyIds": [
                     *           "key_01k4qz0000e0080000000000ab"
                     *         ],
                     *         "approved": true,
                     *         "status": "running",
                     *         "size": 1,
                     *         "milliseconds": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolCall"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getToolsCallsByCallIdOutput: {
        parameters: {
            query?: {
                /** @description Characters before the first */
                offset?: number;
                /** @description Characters */
                limit?: number;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                callId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "text": "Hello",
                     *         "offset": 1,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolOutput"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getToolsStatic: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tool_01k4qz0000e0080000000000ab",
                     *           "name": "get_weather",
                     *           "kind": "http",
                     *           "description": "What it is about, in a sentence",
                     *           "parameters": {},
                     *           "config": {},
                     *           "idempotent": true,
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "available": true,
                     *           "unavailable": "example",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Tool"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkflows: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description `public`: everyone may read and fork it; only its owner executes and changes it */
                visibility?: "private" | "public";
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "workflow_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "description": "What it is about, in a sentence",
                     *           "visibility": "private",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorkflowSummary"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postWorkflows: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Greeting",
                 *       "definition": {
                 *         "inputSchema": {
                 *           "type": "object",
                 *           "properties": {
                 *             "name": {
                 *               "type": "string"
                 *             }
                 *           },
                 *           "required": [
                 *             "name"
                 *           ]
                 *         },
                 *         "steps": [
                 *           {
                 *             "id": "greet",
                 *             "type": "agent",
                 *             "config": {
                 *               "agentId": "agent_01k4qz0000e0080000000000ab",
                 *               "prompt": "Greet {{ input.name }}."
                 *             }
                 *           },
                 *           {
                 *             "id": "polish",
                 *             "type": "transform",
                 *             "dependsOn": [
                 *               "greet"
                 *             ],
                 *             "config": {
                 *               "value": "{{ $trim(steps.greet.output) }}"
                 *             }
                 *           }
                 *         ],
                 *         "output": "{{ steps.polish.output }}"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewWorkflow"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "workflow_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "visibility": "private",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "definition": {
                     *           "inputSchema": {},
                     *           "steps": [
                     *             {
                     *               "id": "classify",
                     *               "type": "agent",
                     *               "name": "Ada",
                     *               "dependsOn": [
                     *                 "classify"
                     *               ],
                     *               "config": {},
                     *               "retry": {
                     *                 "attempts": 1,
                     *                 "backoffSeconds": 1
                     *               },
                     *               "timeoutSeconds": 1,
                     *               "onError": "fail",
                     *               "compensation": {
                     *                 "type": "example",
                     *                 "config": {}
                     *               }
                     *             }
                     *           ],
                     *           "output": {}
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Workflow"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getWorkflowsById: {
        parameters: {
            query?: {
                /** @description `mermaid`: the text of a Mermaid flowchart */
                format?: "json" | "mermaid";
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow, or its flowchart */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "workflow_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "visibility": "private",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "definition": {
                     *           "inputSchema": {},
                     *           "steps": [
                     *             {
                     *               "id": "classify",
                     *               "type": "agent",
                     *               "name": "Ada",
                     *               "dependsOn": [
                     *                 "classify"
                     *               ],
                     *               "config": {},
                     *               "retry": {
                     *                 "attempts": 1,
                     *                 "backoffSeconds": 1
                     *               },
                     *               "timeoutSeconds": 1,
                     *               "onError": "fail",
                     *               "compensation": {
                     *                 "type": "example",
                     *                 "config": {}
                     *               }
                     *             }
                     *           ],
                     *           "output": {}
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Workflow"];
                    };
                    "text/vnd.mermaid": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putWorkflowsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description The ETag of the version to change, such as `"1"`; 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "description": "What it is about, in a sentence",
                 *       "visibility": "private",
                 *       "definition": {
                 *         "steps": [
                 *           {
                 *             "id": "classify",
                 *             "type": "agent"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "workflow_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "visibility": "private",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "definition": {
                     *           "inputSchema": {},
                     *           "steps": [
                     *             {
                     *               "id": "classify",
                     *               "type": "agent",
                     *               "name": "Ada",
                     *               "dependsOn": [
                     *                 "classify"
                     *               ],
                     *               "config": {},
                     *               "retry": {
                     *                 "attempts": 1,
                     *                 "backoffSeconds": 1
                     *               },
                     *               "timeoutSeconds": 1,
                     *               "onError": "fail",
                     *               "compensation": {
                     *                 "type": "example",
                     *                 "config": {}
                     *               }
                     *             }
                     *           ],
                     *           "output": {}
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Workflow"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteWorkflowsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "workflow_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postWorkflowsByIdExecute: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "input": {
                 *         "name": "Ada"
                 *       }
                 *     }
                 */
                "application/json": null | components["schemas"]["ExecuteRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "execution_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *         "workflowVersion": 1,
                     *         "status": "queued",
                     *         "error": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z",
                     *         "parentId": "parent_01k4qz0000e0080000000000ab",
                     *         "input": {},
                     *         "output": {},
                     *         "cost": {
                     *           "inputTokens": 1,
                     *           "cachedTokens": 1,
                     *           "outputTokens": 1
                     *         },
                     *         "steps": [
                     *           {
                     *             "stepId": "step_01k4qz0000e0080000000000ab",
                     *             "path": "each[3].classify",
                     *             "type": "example",
                     *             "status": "running",
                     *             "attempt": 1,
                     *             "input": {},
                     *             "output": {},
                     *             "error": null,
                     *             "cost": {
                     *               "inputTokens": 1,
                     *               "cachedTokens": 1,
                     *               "outputTokens": 1
                     *             },
                     *             "runId": "run_01k4qz0000e0080000000000ab",
                     *             "executionId": "execution_01k4qz0000e0080000000000ab",
                     *             "decisions": [
                     *               {
                     *                 "by": "example",
                     *                 "decision": "approve",
                     *                 "comment": "example",
                     *                 "data": {},
                     *                 "at": "2026-01-15T09:30:00.000Z"
                     *               }
                     *             ],
                     *             "deadline": "2026-01-15T09:30:00.000Z",
                     *             "startedAt": "2026-01-15T09:30:00.000Z",
                     *             "endedAt": "2026-01-15T09:30:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Execution"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getWorkflowsByIdExecutions: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description `waiting`: it goes on when something comes: a decision, the end of a run, its time */
                status?: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "execution_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *           "workflowVersion": 1,
                     *           "status": "queued",
                     *           "error": null,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "endedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ExecutionSummary"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkflowsByIdExecutionsByExecutionId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                id: string;
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "execution_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *         "workflowVersion": 1,
                     *         "status": "queued",
                     *         "error": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z",
                     *         "parentId": "parent_01k4qz0000e0080000000000ab",
                     *         "input": {},
                     *         "output": {},
                     *         "cost": {
                     *           "inputTokens": 1,
                     *           "cachedTokens": 1,
                     *           "outputTokens": 1
                     *         },
                     *         "steps": [
                     *           {
                     *             "stepId": "step_01k4qz0000e0080000000000ab",
                     *             "path": "each[3].classify",
                     *             "type": "example",
                     *             "status": "running",
                     *             "attempt": 1,
                     *             "input": {},
                     *             "output": {},
                     *             "error": null,
                     *             "cost": {
                     *               "inputTokens": 1,
                     *               "cachedTokens": 1,
                     *               "outputTokens": 1
                     *             },
                     *             "runId": "run_01k4qz0000e0080000000000ab",
                     *             "executionId": "execution_01k4qz0000e0080000000000ab",
                     *             "decisions": [
                     *               {
                     *                 "by": "example",
                     *                 "decision": "approve",
                     *                 "comment": "example",
                     *                 "data": {},
                     *                 "at": "2026-01-15T09:30:00.000Z"
                     *               }
                     *             ],
                     *             "deadline": "2026-01-15T09:30:00.000Z",
                     *             "startedAt": "2026-01-15T09:30:00.000Z",
                     *             "endedAt": "2026-01-15T09:30:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Execution"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postWorkflowsByIdExecutionsByExecutionIdApprove: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "comment": "Looks right",
                 *       "data": {
                 *         "percent": 50
                 *       }
                 *     }
                 */
                "application/json": null | components["schemas"]["StepDecisionRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "execution_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *         "workflowVersion": 1,
                     *         "status": "queued",
                     *         "error": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z",
                     *         "parentId": "parent_01k4qz0000e0080000000000ab",
                     *         "input": {},
                     *         "output": {},
                     *         "cost": {
                     *           "inputTokens": 1,
                     *           "cachedTokens": 1,
                     *           "outputTokens": 1
                     *         },
                     *         "steps": [
                     *           {
                     *             "stepId": "step_01k4qz0000e0080000000000ab",
                     *             "path": "each[3].classify",
                     *             "type": "example",
                     *             "status": "running",
                     *             "attempt": 1,
                     *             "input": {},
                     *             "output": {},
                     *             "error": null,
                     *             "cost": {
                     *               "inputTokens": 1,
                     *               "cachedTokens": 1,
                     *               "outputTokens": 1
                     *             },
                     *             "runId": "run_01k4qz0000e0080000000000ab",
                     *             "executionId": "execution_01k4qz0000e0080000000000ab",
                     *             "decisions": [
                     *               {
                     *                 "by": "example",
                     *                 "decision": "approve",
                     *                 "comment": "example",
                     *                 "data": {},
                     *                 "at": "2026-01-15T09:30:00.000Z"
                     *               }
                     *             ],
                     *             "deadline": "2026-01-15T09:30:00.000Z",
                     *             "startedAt": "2026-01-15T09:30:00.000Z",
                     *             "endedAt": "2026-01-15T09:30:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Execution"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postWorkflowsByIdExecutionsByExecutionIdCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "execution_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *         "workflowVersion": 1,
                     *         "status": "queued",
                     *         "error": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z",
                     *         "parentId": "parent_01k4qz0000e0080000000000ab",
                     *         "input": {},
                     *         "output": {},
                     *         "cost": {
                     *           "inputTokens": 1,
                     *           "cachedTokens": 1,
                     *           "outputTokens": 1
                     *         },
                     *         "steps": [
                     *           {
                     *             "stepId": "step_01k4qz0000e0080000000000ab",
                     *             "path": "each[3].classify",
                     *             "type": "example",
                     *             "status": "running",
                     *             "attempt": 1,
                     *             "input": {},
                     *             "output": {},
                     *             "error": null,
                     *             "cost": {
                     *               "inputTokens": 1,
                     *               "cachedTokens": 1,
                     *               "outputTokens": 1
                     *             },
                     *             "runId": "run_01k4qz0000e0080000000000ab",
                     *             "executionId": "execution_01k4qz0000e0080000000000ab",
                     *             "decisions": [
                     *               {
                     *                 "by": "example",
                     *                 "decision": "approve",
                     *                 "comment": "example",
                     *                 "data": {},
                     *                 "at": "2026-01-15T09:30:00.000Z"
                     *               }
                     *             ],
                     *             "deadline": "2026-01-15T09:30:00.000Z",
                     *             "startedAt": "2026-01-15T09:30:00.000Z",
                     *             "endedAt": "2026-01-15T09:30:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Execution"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postWorkflowsByIdExecutionsByExecutionIdEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                executionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "paid",
                 *       "data": {
                 *         "amount": 40,
                 *         "currency": "EUR"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "event_01k4qz0000e0080000000000ab",
                     *         "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *         "executionId": "execution_01k4qz0000e0080000000000ab",
                     *         "event": "example",
                     *         "key": "example",
                     *         "taken": true,
                     *         "createdAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ReceivedEvent"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    postWorkflowsByIdExecutionsByExecutionIdReject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "comment": "Looks right",
                 *       "data": {
                 *         "percent": 50
                 *       }
                 *     }
                 */
                "application/json": null | components["schemas"]["StepDecisionRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "execution_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *         "workflowVersion": 1,
                     *         "status": "queued",
                     *         "error": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "endedAt": "2026-01-15T09:30:00.000Z",
                     *         "parentId": "parent_01k4qz0000e0080000000000ab",
                     *         "input": {},
                     *         "output": {},
                     *         "cost": {
                     *           "inputTokens": 1,
                     *           "cachedTokens": 1,
                     *           "outputTokens": 1
                     *         },
                     *         "steps": [
                     *           {
                     *             "stepId": "step_01k4qz0000e0080000000000ab",
                     *             "path": "each[3].classify",
                     *             "type": "example",
                     *             "status": "running",
                     *             "attempt": 1,
                     *             "input": {},
                     *             "output": {},
                     *             "error": null,
                     *             "cost": {
                     *               "inputTokens": 1,
                     *               "cachedTokens": 1,
                     *               "outputTokens": 1
                     *             },
                     *             "runId": "run_01k4qz0000e0080000000000ab",
                     *             "executionId": "execution_01k4qz0000e0080000000000ab",
                     *             "decisions": [
                     *               {
                     *                 "by": "example",
                     *                 "decision": "approve",
                     *                 "comment": "example",
                     *                 "data": {},
                     *                 "at": "2026-01-15T09:30:00.000Z"
                     *               }
                     *             ],
                     *             "deadline": "2026-01-15T09:30:00.000Z",
                     *             "startedAt": "2026-01-15T09:30:00.000Z",
                     *             "endedAt": "2026-01-15T09:30:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Execution"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getWorkflowsByIdExecutionsByExecutionIdStream: {
        parameters: {
            query?: {
                /** @description `seq` of the last event received */
                after?: number;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description `seq` of the last event that was received; the stream goes on after it */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path: {
                id: string;
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-Sent Events, each a `data: <JSON>` frame */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example data: {"type":"status","executionId":"execution_01k4qz0000e0080000000000ab","seq":1,"status":"queued","attempt":1} */
                    "text/event-stream": components["schemas"]["ExecutionEvent"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postWorkflowsByIdFork: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "references": {}
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowFork"] | null;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "workflow_01k4qz0000e0080000000000ab",
                     *         "owner": "user_01k4qz0000e0080000000000ab",
                     *         "name": "Ada",
                     *         "description": "What it is about, in a sentence",
                     *         "visibility": "private",
                     *         "version": 1,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "definition": {
                     *           "inputSchema": {},
                     *           "steps": [
                     *             {
                     *               "id": "classify",
                     *               "type": "agent",
                     *               "name": "Ada",
                     *               "dependsOn": [
                     *                 "classify"
                     *               ],
                     *               "config": {},
                     *               "retry": {
                     *                 "attempts": 1,
                     *                 "backoffSeconds": 1
                     *               },
                     *               "timeoutSeconds": 1,
                     *               "onError": "fail",
                     *               "compensation": {
                     *                 "type": "example",
                     *                 "config": {}
                     *               }
                     *             }
                     *           ],
                     *           "output": {}
                     *         },
                     *         "cleared": [
                     *           "example"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ForkedWorkflow"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getWorkflowsByIdWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *         "enabled": true,
                     *         "prefix": "example",
                     *         "signed": true,
                     *         "mapping": {},
                     *         "event": {
                     *           "event": "example",
                     *           "executionId": "execution_01k4qz0000e0080000000000ab",
                     *           "key": "example",
                     *           "data": {}
                     *         },
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "mintedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postWorkflowsByIdWebhookToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "secret": true,
                 *       "mapping": {
                 *         "text": "{{ body.message }}",
                 *         "from": "{{ body.sender.email }}"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhook"] | null;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "workflowId": "workflow_01k4qz0000e0080000000000ab",
                     *         "enabled": true,
                     *         "prefix": "example",
                     *         "signed": true,
                     *         "mapping": {},
                     *         "event": {
                     *           "event": "example",
                     *           "executionId": "execution_01k4qz0000e0080000000000ab",
                     *           "key": "example",
                     *           "data": {}
                     *         },
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "mintedAt": "2026-01-15T09:30:00.000Z",
                     *         "token": "example",
                     *         "secret": "example"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MintedWebhook"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    deleteWorkflowsByIdWebhookToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "workflow_01k4qz0000e0080000000000ab",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getWorkflowsPublic: {
        parameters: {
            query?: {
                /** @description Things a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself. */
                "x-initiator"?: components["parameters"]["Initiator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "workflow_01k4qz0000e0080000000000ab",
                     *           "owner": "user_01k4qz0000e0080000000000ab",
                     *           "name": "Ada",
                     *           "description": "What it is about, in a sentence",
                     *           "visibility": "private",
                     *           "version": 1,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorkflowSummary"][];
                        /** @description Opaque; null on the last page */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postWorkflowsWebhooksByToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key with the same body repeats the first reply */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The credential */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": Blob;
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "idempotency-replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "executionId": "execution_01k4qz0000e0080000000000ab",
                     *         "eventId": "event_01k4qz0000e0080000000000ab"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookAccepted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["TooSlow"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
}
