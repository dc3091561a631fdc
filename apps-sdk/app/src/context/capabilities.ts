// Made from the capability catalogue of a platform with all packs:
// UPDATE=1 npx tap apps-sdk/app/catalogue.test.ts
interface components {
    schemas: {
        "agents.list.params": {
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
        };
        "agents.list.result": {
            data: {
                /** @example agent_01k4qz0000e0080000000000ab */
                id: string;
                /** @example Ada */
                name: string;
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "agents.read.params": {
            agentId: string;
        };
        "agents.read.result": {
            /** @example agent_01k4qz0000e0080000000000ab */
            id: string;
            /** @example Ada */
            name: string;
            instructions: string | null;
            modelProvider: string | null;
            modelId: string | null;
        };
        "files.read.params": {
            fileId: string;
            /**
             * @description `text`: as UTF-8
             * @default text
             * @enum {unknown}
             */
            as?: "text" | "base64";
        };
        "files.read.result": {
            /** @example file_01k4qz0000e0080000000000ab */
            id: string;
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
            text?: string;
            base64?: string;
        };
        "files.store.params": {
            name: string;
            text?: string;
            base64?: string;
            /** @description Counts for kinds of text alone: else the bytes tell */
            mediaType?: string;
        };
        "files.store.result": {
            /** @example file_01k4qz0000e0080000000000ab */
            id: string;
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
        "goals.list.params": {
            /** @description Needed where the grant names agents */
            agentId?: string;
            /**
             * @description Default: done at 100 percent, otherwise open
             * @enum {unknown}
             */
            status?: "open" | "done" | "abandoned";
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
        };
        "goals.list.result": {
            data: {
                /** @example goal_01k4qz0000e0080000000000ab */
                id: string;
                /** @description The agent that works towards it */
                agentId: string;
                title: string;
                description: string | null;
                /**
                 * @description Default: done at 100 percent, otherwise open
                 * @enum {unknown}
                 */
                status: "open" | "done" | "abandoned";
                /** @description Progress in percent */
                progress: number;
                /** @description Version, incremented on each update; also the ETag */
                version: number;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "goals.read.params": {
            goalId: string;
        };
        "goals.read.result": {
            /** @example goal_01k4qz0000e0080000000000ab */
            id: string;
            /** @description The agent that works towards it */
            agentId: string;
            title: string;
            description: string | null;
            /**
             * @description Default: done at 100 percent, otherwise open
             * @enum {unknown}
             */
            status: "open" | "done" | "abandoned";
            /** @description Progress in percent */
            progress: number;
            /** @description Version, incremented on each update; also the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        "goals.update.params": {
            goalId: string;
            title?: string;
            description?: string | null;
            /**
             * @description Default: done at 100 percent, otherwise open
             * @enum {unknown}
             */
            status?: "open" | "done" | "abandoned";
            /** @description Progress in percent */
            progress?: number;
        };
        "goals.update.result": {
            /** @example goal_01k4qz0000e0080000000000ab */
            id: string;
            /** @description The agent that works towards it */
            agentId: string;
            title: string;
            description: string | null;
            /**
             * @description Default: done at 100 percent, otherwise open
             * @enum {unknown}
             */
            status: "open" | "done" | "abandoned";
            /** @description Progress in percent */
            progress: number;
            /** @description Version, incremented on each update; also the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        "knowledge.list.params": {
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
        };
        "knowledge.list.result": {
            data: {
                /** @example space_01k4qz0000e0080000000000ab */
                id: string;
                name: string;
                description: string | null;
                /**
                 * @description What the caller may do here
                 * @enum {unknown}
                 */
                access: "read" | "write" | "manage";
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "knowledge.listDocuments.params": {
            spaceId: string;
            tag?: string;
            /** @description Only the one at this path */
            path?: string;
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
        };
        "knowledge.listDocuments.result": {
            data: {
                /** @example document_01k4qz0000e0080000000000ab */
                id: string;
                spaceId: string;
                title: string;
                /** @example guides/setup.md */
                path: string;
                /** @enum {unknown} */
                mediaType: "text/markdown" | "text/plain" | "text/html" | "text/csv" | "application/pdf" | "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
                /** @description Bytes of the text as UTF-8 */
                size: number;
                /**
                 * @description `ready`: all of this version can be searched
                 * @enum {unknown}
                 */
                status: "ready" | "processing" | "failed";
                /** @description Version, incremented on each update; also the ETag */
                version: number;
                /** Format: date-time */
                updatedAt: string;
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "knowledge.read.params": {
            spaceId: string;
            documentId: string;
            /**
             * @description Where to begin in the text, in UTF-16 code units
             * @default 0
             */
            offset?: number;
        };
        "knowledge.read.result": {
            /** @example document_01k4qz0000e0080000000000ab */
            id: string;
            spaceId: string;
            title: string;
            /** @example guides/setup.md */
            path: string;
            /** @enum {unknown} */
            mediaType: "text/markdown" | "text/plain" | "text/html" | "text/csv" | "application/pdf" | "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
            /** @description Bytes of the text as UTF-8 */
            size: number;
            /**
             * @description `ready`: all of this version can be searched
             * @enum {unknown}
             */
            status: "ready" | "processing" | "failed";
            /** @description Version, incremented on each update; also the ETag */
            version: number;
            /** Format: date-time */
            updatedAt: string;
            /** @description The text */
            content: string;
            nextOffset: number | null;
        };
        "knowledge.search.params": {
            /** @description Default: all. Required if the grant names spaces */
            spaceId?: string;
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
            /** @description What is looked for */
            query: string;
        };
        "knowledge.search.result": {
            data: {
                spaceId: string;
                documentId: string | null;
                title: string;
                path: string | null;
                url: string | null;
                heading: string | null;
                page: number | null;
                text: string;
                /** @description Above 0, at most 1; comparable within one search */
                score: number;
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "knowledge.write.params": {
            spaceId: string;
            /** @description ID of the document to update. Default: a new document */
            documentId?: string;
            title: string;
            /** @description The text, in place of what there was */
            content: string;
            /** @description Only where the document has this one */
            version?: number;
        };
        "knowledge.write.result": {
            /** @example document_01k4qz0000e0080000000000ab */
            id: string;
            spaceId: string;
            title: string;
            /** @example guides/setup.md */
            path: string;
            /** @enum {unknown} */
            mediaType: "text/markdown" | "text/plain" | "text/html" | "text/csv" | "application/pdf" | "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
            /** @description Bytes of the text as UTF-8 */
            size: number;
            /**
             * @description `ready`: all of this version can be searched
             * @enum {unknown}
             */
            status: "ready" | "processing" | "failed";
            /** @description Version, incremented on each update; also the ETag */
            version: number;
            /** Format: date-time */
            updatedAt: string;
        };
        "library.list.params": {
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
            /** @description Only those with it in their name or description */
            q?: string;
            /** @description Only those of this media type; `image/*` for all that begin so */
            mediaType?: string;
            favourite?: boolean;
            /**
             * @description What it came from
             * @enum {unknown}
             */
            origin?: "upload" | "run" | "tool" | "code";
            /** @description Only those that the caller has by a grant, or only its own */
            granted?: boolean;
        };
        "library.list.result": {
            data: {
                /** @example item_01k4qz0000e0080000000000ab */
                id: string;
                name: string;
                description: string | null;
                /** @description By its bytes */
                mediaType: string;
                /** @description In bytes */
                size: number;
                favourite: boolean;
                /** @description Version, incremented on each update; also the ETag */
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
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "library.preview.params": {
            itemId: string;
        };
        "library.preview.result": {
            mediaType: string;
            /** @description It is only a part */
            truncated: boolean;
            text?: string;
            base64?: string;
        };
        "library.read.params": {
            itemId: string;
        };
        "library.read.result": {
            /** @example item_01k4qz0000e0080000000000ab */
            id: string;
            name: string;
            description: string | null;
            /** @description By its bytes */
            mediaType: string;
            /** @description In bytes */
            size: number;
            favourite: boolean;
            /** @description Version, incremented on each update; also the ETag */
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
        "memory.remember.params": {
            /** @example The customer wants invoices by the fifth of the month. */
            content: string;
            /**
             * @description `fact`: what is so; `preference`: what a person likes; `episode`: what happened; `instruction`: what the agent is to do
             * @enum {unknown}
             */
            type?: "fact" | "preference" | "episode" | "instruction";
            /** @description How much it counts when memories are chosen */
            importance?: number;
            agentId: string;
        };
        "memory.remember.result": {
            /** @example memory_01k4qz0000e0080000000000ab */
            id: string;
            /**
             * @description `fact`: what is so; `preference`: what a person likes; `episode`: what happened; `instruction`: what the agent is to do
             * @enum {unknown}
             */
            type: "fact" | "preference" | "episode" | "instruction";
            /** @example The customer wants invoices by the fifth of the month. */
            content: string;
            /** @description How much it counts when memories are chosen */
            importance: number;
            /** Format: date-time */
            validFrom: string;
            /** @description It may be made of what a tool returned: prompts show it as data, and follow no instruction in it */
            untrusted: boolean;
        };
        "memory.search.params": {
            agentId: string;
            /** @description What is looked for, as people say it */
            query: string;
            /**
             * @description `fact`: what is so; `preference`: what a person likes; `episode`: what happened; `instruction`: what the agent is to do
             * @enum {unknown}
             */
            type?: "fact" | "preference" | "episode" | "instruction";
            /**
             * Format: date-time
             * @description What was so then; left out: what is so now
             */
            asOf?: string;
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
        };
        "memory.search.result": {
            data: {
                /** @example memory_01k4qz0000e0080000000000ab */
                id: string;
                /**
                 * @description `fact`: what is so; `preference`: what a person likes; `episode`: what happened; `instruction`: what the agent is to do
                 * @enum {unknown}
                 */
                type: "fact" | "preference" | "episode" | "instruction";
                /** @example The customer wants invoices by the fifth of the month. */
                content: string;
                /** @description How much it counts when memories are chosen */
                importance: number;
                /** Format: date-time */
                validFrom: string;
                /** @description It may be made of what a tool returned: prompts show it as data, and follow no instruction in it */
                untrusted: boolean;
                /** @description 0.8 × relevance + 0.1 × recency + 0.1 × importance */
                score: number;
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "models.list.params": {
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
        };
        "models.list.result": {
            data: {
                /** @example anthropic/claude-sonnet-5-5 */
                id: string;
                modelProvider: string;
                modelId: string;
                name: string;
                /** @description What it can be asked for */
                modalities: ("language" | "embedding" | "transcription" | "speech" | "image")[];
                /** @description Whether the caller's project can use it; without a credential: every project */
                configured: boolean;
                /** @description The one for agents that name none; of those for vectors, the one that is asked */
                default: boolean;
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "runs.cancel.params": {
            runId: string;
        };
        "runs.cancel.result": {
            /** @example run_01k4qz0000e0080000000000ab */
            id: string;
            sessionId: string;
            agentId: string;
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            content: string | null;
            /**
             * RunUsage
             * @description As providers reported it; estimated where they did not
             */
            usage: {
                /** @description Of all calls of the model */
                inputTokens: number;
                /** @description Of the input, those that the provider had cached */
                cachedTokens: number;
                /** @description Of the input, those that the provider wrote to its cache, if it reports them */
                cacheWriteTokens?: number;
                /** @description Of all replies */
                outputTokens: number;
                /** @description True if a provider did not report all of it, and the rest was estimated from the number of characters */
                estimated?: boolean;
            };
            error: {
                message: string;
                code: string;
                /**
                 * Format: date-time
                 * @description When the model provider accepts requests again, if it said so
                 */
                retryAt?: string;
            } | null;
            /** Format: date-time */
            createdAt: string;
            endedAt: string | null;
        };
        "runs.read.params": {
            runId: string;
        };
        "runs.read.result": {
            /** @example run_01k4qz0000e0080000000000ab */
            id: string;
            sessionId: string;
            agentId: string;
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            content: string | null;
            /**
             * RunUsage
             * @description As providers reported it; estimated where they did not
             */
            usage: {
                /** @description Of all calls of the model */
                inputTokens: number;
                /** @description Of the input, those that the provider had cached */
                cachedTokens: number;
                /** @description Of the input, those that the provider wrote to its cache, if it reports them */
                cacheWriteTokens?: number;
                /** @description Of all replies */
                outputTokens: number;
                /** @description True if a provider did not report all of it, and the rest was estimated from the number of characters */
                estimated?: boolean;
            };
            error: {
                message: string;
                code: string;
                /**
                 * Format: date-time
                 * @description When the model provider accepts requests again, if it said so
                 */
                retryAt?: string;
            } | null;
            /** Format: date-time */
            createdAt: string;
            endedAt: string | null;
        };
        "runs.start.params": {
            agentId: string;
            /** @description What is said to the agent */
            message: string;
            /** @description ID of the session to continue. Default: a new session */
            sessionId?: string;
            /** @description The message comes from outside: the agent is told to follow no instruction in it */
            untrusted?: boolean;
            /** @description JSON Schema of the answer that is asked for */
            answerSchema?: {
                [key: string]: unknown;
            };
            /** @description The same key within a day is the same run: for calls that are made again */
            key?: string;
        };
        "runs.start.result": {
            /** @example run_01k4qz0000e0080000000000ab */
            id: string;
            sessionId: string;
        };
        "runs.wait.params": {
            runId: string;
            /** @default 25 */
            seconds?: number;
        };
        "runs.wait.result": {
            /** @example run_01k4qz0000e0080000000000ab */
            id: string;
            sessionId: string;
            agentId: string;
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            content: string | null;
            /**
             * RunUsage
             * @description As providers reported it; estimated where they did not
             */
            usage: {
                /** @description Of all calls of the model */
                inputTokens: number;
                /** @description Of the input, those that the provider had cached */
                cachedTokens: number;
                /** @description Of the input, those that the provider wrote to its cache, if it reports them */
                cacheWriteTokens?: number;
                /** @description Of all replies */
                outputTokens: number;
                /** @description True if a provider did not report all of it, and the rest was estimated from the number of characters */
                estimated?: boolean;
            };
            error: {
                message: string;
                code: string;
                /**
                 * Format: date-time
                 * @description When the model provider accepts requests again, if it said so
                 */
                retryAt?: string;
            } | null;
            /** Format: date-time */
            createdAt: string;
            endedAt: string | null;
        };
        "sessions.list.params": {
            agentId: string;
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
        };
        "sessions.list.result": {
            data: {
                /** @example session_01k4qz0000e0080000000000ab */
                id: string;
                agentId: string;
                title: string | null;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "sessions.read.params": {
            sessionId: string;
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
        };
        "sessions.read.result": {
            data: {
                id: string;
                runId: string | null;
                /** @enum {unknown} */
                role: "user" | "assistant" | "system";
                content: string;
                /** Format: date-time */
                createdAt: string;
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "skills.list.params": {
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
        };
        "skills.list.result": {
            data: {
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
                /** @description Version, incremented on each update; also the ETag */
                version: number;
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "skills.read.params": {
            /** @description Its id or its slug */
            skillId: string;
        };
        "skills.read.result": {
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
            /** @description Version, incremented on each update; also the ETag */
            version: number;
            /** @description Markdown: what to do when the skill is used */
            instructions: string;
        };
        "spaces.list.params": {
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
        };
        "spaces.list.result": {
            data: {
                /** @example space_01k4qz0000e0080000000000ab */
                id: string;
                name: string;
                description: string | null;
                /**
                 * @description A public space can be found and joined by everyone in the project
                 * @enum {unknown}
                 */
                visibility: "private" | "public";
                role: ("guest" | "member" | "admin" | "owner") | null;
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "spaces.listMembers.params": {
            spaceId: string;
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
        };
        "spaces.listMembers.result": {
            data: {
                /** @example member_01k4qz0000e0080000000000ab */
                id: string;
                /** @enum {unknown} */
                subjectType: "user" | "agent" | "service";
                subjectId: string;
                /**
                 * @description A guest reads and reacts; a member posts besides; an admin changes the space, its members and what others posted; an owner also makes owners and deletes the space
                 * @enum {unknown}
                 */
                role: "guest" | "member" | "admin" | "owner";
                /** @description By which others call it, and mention it: @name */
                name: string;
                answers: ("mentioned" | "always" | "never") | null;
                /** @description It follows the space now */
                isPresent: boolean;
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "spaces.post.params": {
            spaceId: string;
            content: string;
            replyToId?: string;
            /**
             * @description Ids of members, beside those whom the text names as @name
             * @default []
             */
            mentions?: string[];
            /** @description The same key in the same space is the same message: for calls that are made again */
            key?: string;
        };
        "spaces.post.result": {
            /** @example message_01k4qz0000e0080000000000ab */
            id: string;
            spaceId: string;
            /** @description The author, who may have left since */
            memberId: string;
            /** @enum {unknown} */
            authorType: "user" | "agent" | "service";
            /** @description As it was called then */
            authorName: string;
            content: string | null;
            replyToId: string | null;
            attachments: {
                fileId: string;
                name: string;
                mediaType: string;
                size: number;
            }[];
            /** @description Ids of members */
            mentions: string[];
            reactions: {
                emoji: string;
                memberIds: string[];
            }[];
            /** @description Version, incremented on each update; also the ETag */
            version: number;
            /** Format: date-time */
            createdAt: string;
            deletedAt: string | null;
        };
        "spaces.read.params": {
            spaceId: string;
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
            /** @description Words to search for; "…" as they stand, - without */
            query?: string;
            /** @description Only answers to this message */
            replyToId?: string;
        };
        "spaces.read.result": {
            data: {
                /** @example message_01k4qz0000e0080000000000ab */
                id: string;
                spaceId: string;
                /** @description The author, who may have left since */
                memberId: string;
                /** @enum {unknown} */
                authorType: "user" | "agent" | "service";
                /** @description As it was called then */
                authorName: string;
                content: string | null;
                replyToId: string | null;
                attachments: {
                    fileId: string;
                    name: string;
                    mediaType: string;
                    size: number;
                }[];
                /** @description Ids of members */
                mentions: string[];
                reactions: {
                    emoji: string;
                    memberIds: string[];
                }[];
                /** @description Version, incremented on each update; also the ETag */
                version: number;
                /** Format: date-time */
                createdAt: string;
                deletedAt: string | null;
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "tasks.cancel.params": {
            taskId: string;
        };
        "tasks.cancel.result": {
            /** @example task_01k4qz0000e0080000000000ab */
            id: string;
            agentId: string | null;
            sessionId: string | null;
            title: string;
            description: string | null;
            cronExpression: string | null;
            /** @description Runs at each time of `cronExpression`, which it needs */
            isRecurring: boolean;
            scheduledFor: string | null;
            timezone: string | null;
            /**
             * @description `scheduled`: nothing is under way; `nextRunAt` says when it runs, null: when it is executed by hand. `queued`, `running`, `waiting` (for a person or the outside): its newest run. The others: how that ended, and no more is scheduled
             * @enum {unknown}
             */
            status: "scheduled" | "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            nextRunAt: string | null;
            lastRunAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        "tasks.create.params": {
            agentId: string;
            title: string;
            description?: string | null;
            cronExpression?: string | null;
            /** @description Runs at each time of `cronExpression`, which it needs */
            isRecurring?: boolean;
            scheduledFor?: string | null;
            timezone?: string | null;
        };
        "tasks.create.result": {
            /** @example task_01k4qz0000e0080000000000ab */
            id: string;
            agentId: string | null;
            sessionId: string | null;
            title: string;
            description: string | null;
            cronExpression: string | null;
            /** @description Runs at each time of `cronExpression`, which it needs */
            isRecurring: boolean;
            scheduledFor: string | null;
            timezone: string | null;
            /**
             * @description `scheduled`: nothing is under way; `nextRunAt` says when it runs, null: when it is executed by hand. `queued`, `running`, `waiting` (for a person or the outside): its newest run. The others: how that ended, and no more is scheduled
             * @enum {unknown}
             */
            status: "scheduled" | "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            nextRunAt: string | null;
            lastRunAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        "tasks.list.params": {
            /** @description Needed where the grant names agents */
            agentId?: string;
            /**
             * @description `scheduled`: nothing is under way; `nextRunAt` says when it runs, null: when it is executed by hand. `queued`, `running`, `waiting` (for a person or the outside): its newest run. The others: how that ended, and no more is scheduled
             * @enum {unknown}
             */
            status?: "scheduled" | "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
        };
        "tasks.list.result": {
            data: {
                /** @example task_01k4qz0000e0080000000000ab */
                id: string;
                agentId: string | null;
                sessionId: string | null;
                title: string;
                description: string | null;
                cronExpression: string | null;
                /** @description Runs at each time of `cronExpression`, which it needs */
                isRecurring: boolean;
                scheduledFor: string | null;
                timezone: string | null;
                /**
                 * @description `scheduled`: nothing is under way; `nextRunAt` says when it runs, null: when it is executed by hand. `queued`, `running`, `waiting` (for a person or the outside): its newest run. The others: how that ended, and no more is scheduled
                 * @enum {unknown}
                 */
                status: "scheduled" | "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
                nextRunAt: string | null;
                lastRunAt: string | null;
                /** Format: date-time */
                createdAt: string;
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "tools.invoke.params": {
            agentId: string;
            /** @description Name or id */
            toolName: string;
            /** @description As its parameters say */
            args?: {
                [key: string]: unknown;
            };
        };
        "tools.invoke.result": {
            callId: string;
            output: unknown;
            isError: boolean;
        };
        "tools.list.params": {
            agentId: string;
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
        };
        "tools.list.result": {
            data: {
                id: string;
                name: string;
                description: string;
                /** @description JSON Schema */
                parameters: {
                    [key: string]: unknown;
                };
                idempotent: boolean;
                /**
                 * @description `ask`: for runs alone, in which a person approves it
                 * @enum {unknown}
                 */
                policy: "allow" | "ask";
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "workflows.cancel.params": {
            workflowId: string;
            executionId: string;
        };
        "workflows.cancel.result": {
            /** @example execution_01k4qz0000e0080000000000ab */
            id: string;
            workflowId: string;
            /**
             * @description `waiting`: it goes on when something comes: a decision, the end of a run, its time
             * @enum {unknown}
             */
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            error: {
                /**
                 * @example timed_out
                 * @example outcome_unknown
                 * @example rejected
                 */
                code: string;
                /** @description Of an execution: with the path of the step that failed */
                message: string;
            } | null;
            /** Format: date-time */
            createdAt: string;
            endedAt: string | null;
            /** @description Null until it has completed */
            output: unknown;
        };
        "workflows.execute.params": {
            workflowId: string;
            /** @description As the workflow asks for it; default `{}` */
            input?: unknown;
            /** @description The same key within a day is the same execution: for calls that are made again */
            key?: string;
        };
        "workflows.execute.result": {
            /** @example execution_01k4qz0000e0080000000000ab */
            id: string;
            workflowId: string;
        };
        "workflows.list.params": {
            /**
             * @description Maximum number of items per page
             * @default 20
             */
            limit?: number;
            /** @description `nextCursor` of the previous page */
            cursor?: string;
        };
        "workflows.list.result": {
            data: {
                /** @example workflow_01k4qz0000e0080000000000ab */
                id: string;
                name: string;
                description: string | null;
                /** @description Version, incremented on each update; also the ETag */
                version: number;
                /** Format: date-time */
                updatedAt: string;
            }[];
            /** @description Opaque; null on the last page */
            nextCursor: string | null;
        };
        "workflows.read.params": {
            workflowId: string;
            executionId: string;
        };
        "workflows.read.result": {
            /** @example execution_01k4qz0000e0080000000000ab */
            id: string;
            workflowId: string;
            /**
             * @description `waiting`: it goes on when something comes: a decision, the end of a run, its time
             * @enum {unknown}
             */
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            error: {
                /**
                 * @example timed_out
                 * @example outcome_unknown
                 * @example rejected
                 */
                code: string;
                /** @description Of an execution: with the path of the step that failed */
                message: string;
            } | null;
            /** Format: date-time */
            createdAt: string;
            endedAt: string | null;
            /** @description Null until it has completed */
            output: unknown;
        };
        "storage.get.params": {
            /** @description Up to 512 characters */
            key: string;
            /**
             * @description app: shared by all who use the app
             * @default user
             * @enum {unknown}
             */
            scope?: "user" | "app";
        };
        "storage.set.params": {
            /** @description Up to 512 characters */
            key: string;
            /** @description JSON of at most 64 KiB */
            value: unknown;
            /**
             * @description app: shared by all who use the app
             * @default user
             * @enum {unknown}
             */
            scope?: "user" | "app";
            /** @description Only where it has this version; 0: only where there is none */
            ifVersion?: number;
        };
        "storage.delete.params": {
            /** @description Up to 512 characters */
            key: string;
            /**
             * @description app: shared by all who use the app
             * @default user
             * @enum {unknown}
             */
            scope?: "user" | "app";
            /** @description Only where it has this version; 0: only where there is none */
            ifVersion?: number;
        };
        "storage.list.params": {
            prefix?: string;
            /**
             * @description app: shared by all who use the app
             * @default user
             * @enum {unknown}
             */
            scope?: "user" | "app";
            /** @default 20 */
            limit?: number;
            /** @description `nextCursor` of the page before */
            cursor?: string;
        };
        "storage.insert.params": {
            /** @description One of the manifest */
            collection: string;
            /** @description Of a document */
            id?: string;
            /** @description At most 64 KiB as JSON */
            document: {
                [key: string]: unknown;
            };
        };
        "storage.find.params": {
            /** @description One of the manifest */
            collection: string;
            /** @description Which documents; all of them where it is left out */
            filter?: {
                [key: string]: unknown;
            };
            sort?: {
                /** @description A name, or up to four with dots between; `id`, `version`, `createdAt` and `updatedAt` are the document’s */
                by: string;
                /**
                 * @default asc
                 * @enum {unknown}
                 */
                order?: "asc" | "desc";
            };
            /** @default 20 */
            limit?: number;
            /** @description `nextCursor` of the page before */
            cursor?: string;
        };
        "storage.findOne.params": {
            /** @description One of the manifest */
            collection: string;
            /** @description Of a document */
            id?: string;
            /** @description Which documents; all of them where it is left out */
            filter?: {
                [key: string]: unknown;
            };
            sort?: {
                /** @description A name, or up to four with dots between; `id`, `version`, `createdAt` and `updatedAt` are the document’s */
                by: string;
                /**
                 * @default asc
                 * @enum {unknown}
                 */
                order?: "asc" | "desc";
            };
        };
        "storage.update.params": {
            /** @description One of the manifest */
            collection: string;
            /** @description Of a document */
            id: string;
            /** @description At most 64 KiB as JSON */
            set?: {
                [key: string]: unknown;
            };
            unset?: string[];
            /** @description Only where it has this version; 0: only where there is none */
            ifVersion?: number;
        };
        "storage.remove.params": {
            /** @description One of the manifest */
            collection: string;
            /** @description Of a document */
            id: string;
            /** @description Only where it has this version; 0: only where there is none */
            ifVersion?: number;
        };
        "storage.count.params": {
            /** @description One of the manifest */
            collection: string;
            /** @description Which documents; all of them where it is left out */
            filter?: {
                [key: string]: unknown;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}

/** The capabilities by name. Those of packs of your own are added by declaration merging. */
export interface Capabilities {
  /** List agents. Ids and names of the agents that the caller can read, newest first, in pages. Reads the names of the agents that you can read. */
  'agents.list': { params: components['schemas']['agents.list.params']; result: components['schemas']['agents.list.result'] }
  /** Read an agent. An agent that the caller can read: its name, instructions and model. Reads the agents that you can read, with their instructions. */
  'agents.read': { params: components['schemas']['agents.read.params']; result: components['schemas']['agents.read.result'] }
  /** Read a file. A file with its bytes, at most 524,288: 413 for a larger one. Reads the files that you can read, where it knows their ids. */
  'files.read': { params: components['schemas']['files.read.params']; result: components['schemas']['files.read.result'] }
  /** Store a file. Keeps `text` or `base64`, at most 524,288 bytes, as a file of the caller. Adds files to your library, within your quota. */
  'files.store': { params: components['schemas']['files.store.params']; result: components['schemas']['files.store.result'] }
  /** List goals. What agents are working towards, newest first, in pages. Reads the goals of your agents. */
  'goals.list': { params: components['schemas']['goals.list.params']; result: components['schemas']['goals.list.result'] }
  /** Read a goal. A goal of an agent, and how far along it is. Reads the goals of your agents. */
  'goals.read': { params: components['schemas']['goals.read.params']; result: components['schemas']['goals.read.result'] }
  /** Update a goal. Changes a goal, or says how far along it is; at 100 per cent it is done. Changes the goals of your agents, which the agents are told. */
  'goals.update': { params: components['schemas']['goals.update.params']; result: components['schemas']['goals.update.result'] }
  /** List knowledge spaces. The knowledge spaces that the caller can read, newest first, in pages, of which some may be empty. Reads the names of the knowledge spaces that you can read. */
  'knowledge.list': { params: components['schemas']['knowledge.list.params']; result: components['schemas']['knowledge.list.result'] }
  /** List documents. The documents of a knowledge space, in pages, without their text. Reads the titles of the documents in knowledge spaces that you can read. */
  'knowledge.listDocuments': { params: components['schemas']['knowledge.listDocuments.params']; result: components['schemas']['knowledge.listDocuments.result'] }
  /** Read a document. A document of a knowledge space, with its text, of a long one 500,000 characters at once. Reads the documents in knowledge spaces that you can read. */
  'knowledge.read': { params: components['schemas']['knowledge.read.params']; result: components['schemas']['knowledge.read.result'] }
  /** Search knowledge. Passages of documents, by meaning and by words, the best first, in pages. Reads the documents in knowledge spaces that you can read. */
  'knowledge.search': { params: components['schemas']['knowledge.search.params']; result: components['schemas']['knowledge.search.result'] }
  /** Write a document. Makes a Markdown document in a knowledge space, or gives one another title and text. Writes documents in knowledge spaces that you can change, which people and agents read. */
  'knowledge.write': { params: components['schemas']['knowledge.write.params']; result: components['schemas']['knowledge.write.result'] }
  /** List the library. Names and kinds of the files in the library, newest first, in pages. Reads the names of the files in your library, and of those that others share with you. */
  'library.list': { params: components['schemas']['library.list.params']; result: components['schemas']['library.list.result'] }
  /** Preview a library item. What is shown of a file: `text` (also HTML), or `base64` of an image; 413 beyond 524,288 bytes. Reads the files in your library, and those that others share with you. */
  'library.preview': { params: components['schemas']['library.preview.params']; result: components['schemas']['library.preview.result'] }
  /** Read a library item. Name, kind and description of a file in the library. Reads the names of the files in your library, and of those that others share with you. */
  'library.read': { params: components['schemas']['library.read.params']; result: components['schemas']['library.read.result'] }
  /** Remember something. Adds a memory to an agent, which follows no instruction in it; the same words again are the same one. Adds to what your agents remember in later conversations. */
  'memory.remember': { params: components['schemas']['memory.remember.params']; result: components['schemas']['memory.remember.result'] }
  /** Search memories. What an agent remembers, by meaning and by words, the best first, in pages. Reads what your agents remember, also of you. */
  'memory.search': { params: components['schemas']['memory.search.params']; result: components['schemas']['memory.search.result'] }
  /** List models. The models that the project knows, and which of them it can use, in pages. Reads which models there are. */
  'models.list': { params: components['schemas']['models.list.params']; result: components['schemas']['models.list.result'] }
  /** Cancel a run. Stops a run; 409 `already_ended` for one that has ended. Stops what your agents are doing. */
  'runs.cancel': { params: components['schemas']['runs.cancel.params']; result: components['schemas']['runs.cancel.result'] }
  /** Read a run. The state of a run, and its answer. Reads what your agents answered. */
  'runs.read': { params: components['schemas']['runs.read.params']; result: components['schemas']['runs.read.result'] }
  /** Start a run. Has an agent of the caller answer, in a new session or in one that goes on. Has the agents that you can run do things in your name, with all the tools that they have. */
  'runs.start': { params: components['schemas']['runs.start.params']; result: components['schemas']['runs.start.result'] }
  /** Wait for a run. The run once it has ended or waits for a person, or as it is after `seconds`: at most 25. Reads what your agents answered. */
  'runs.wait': { params: components['schemas']['runs.wait.params']; result: components['schemas']['runs.wait.result'] }
  /** List conversations. The conversations with an agent, newest first, in pages, without what was said. Reads which conversations there are with your agents, and their titles. */
  'sessions.list': { params: components['schemas']['sessions.list.params']; result: components['schemas']['sessions.list.result'] }
  /** Read a conversation. What was said in a conversation, newest first, in pages, without what tools returned. Reads everything that you and your agents said to each other. */
  'sessions.read': { params: components['schemas']['sessions.read.params']; result: components['schemas']['sessions.read.result'] }
  /** List skills. Names and descriptions of the skills that the caller can read, newest first, in pages. Reads the names of the skills that you can read. */
  'skills.list': { params: components['schemas']['skills.list.params']; result: components['schemas']['skills.list.result'] }
  /** Read a skill. A skill with its instructions, without its files. Reads the skills that you can read, with their instructions. */
  'skills.read': { params: components['schemas']['skills.read.params']; result: components['schemas']['skills.read.result'] }
  /** List spaces. The spaces that the caller is a member of, newest first, in pages, of which some may be empty. Reads the names of the spaces that you are a member of. */
  'spaces.list': { params: components['schemas']['spaces.list.params']; result: components['schemas']['spaces.list.result'] }
  /** List members of a space. The people and agents in a space, newest first, in pages. Reads who is in the spaces that you are a member of, and who is there now. */
  'spaces.listMembers': { params: components['schemas']['spaces.listMembers.params']; result: components['schemas']['spaces.listMembers.result'] }
  /** Post to a space. Posts a message as the caller, which agents in the space answer as if the caller had posted it. Speaks in your name in spaces that you are a member of, where agents may act on what it says. */
  'spaces.post': { params: components['schemas']['spaces.post.params']; result: components['schemas']['spaces.post.result'] }
  /** Read messages of a space. What was said in a space, newest first, in pages. Reads what people and agents say in the spaces that you are a member of. */
  'spaces.read': { params: components['schemas']['spaces.read.params']; result: components['schemas']['spaces.read.result'] }
  /** Cancel a task. Stops what of a task is under way, and schedules nothing more of it; 409 `already_ended` for one that is over. Calls off the tasks of your agents. */
  'tasks.cancel': { params: components['schemas']['tasks.cancel.params']; result: components['schemas']['tasks.cancel.result'] }
  /** Create a task. Something that an agent is to do: at a time, at the times of a cron expression, or when it is executed. Has your agents do things in your name later, and again and again, while nobody watches. */
  'tasks.create': { params: components['schemas']['tasks.create.params']; result: components['schemas']['tasks.create.result'] }
  /** List tasks. Tasks, when they run next, and how the latest run ended, newest first, in pages. Reads the tasks of your agents. */
  'tasks.list': { params: components['schemas']['tasks.list.params']; result: components['schemas']['tasks.list.result'] }
  /** Call a tool of an agent. Calls a tool that an agent was assigned; 403 `approval_required` for one that has to be approved. Calls the tools of your agents in your name, with the keys that are saved for them. */
  'tools.invoke': { params: components['schemas']['tools.invoke.params']; result: components['schemas']['tools.invoke.result'] }
  /** List tools of an agent. The tools that an agent may call now, in pages. Reads which tools your agents have. */
  'tools.list': { params: components['schemas']['tools.list.params']; result: components['schemas']['tools.list.result'] }
  /** Cancel an execution. Ends an execution of a workflow; 409 `already_ended` for one that has ended. Stops your workflows that are under way. */
  'workflows.cancel': { params: components['schemas']['workflows.cancel.params']; result: components['schemas']['workflows.cancel.result'] }
  /** Execute a workflow. Begins an execution of a workflow of the caller, and gives its id. Executes your workflows in your name, with all that their steps do. */
  'workflows.execute': { params: components['schemas']['workflows.execute.params']; result: components['schemas']['workflows.execute.result'] }
  /** List workflows. The workflows of the caller, newest first, in pages, without their steps. Reads the names of your workflows. */
  'workflows.list': { params: components['schemas']['workflows.list.params']; result: components['schemas']['workflows.list.result'] }
  /** Read an execution. The state of an execution of a workflow, and its output. Reads what came out of your workflows. */
  'workflows.read': { params: components['schemas']['workflows.read.params']; result: components['schemas']['workflows.read.result'] }
}

/** Parameters of the methods of `storage`. */
export interface StorageParameters {
  get: components['schemas']['storage.get.params']
  set: components['schemas']['storage.set.params']
  delete: components['schemas']['storage.delete.params']
  list: components['schemas']['storage.list.params']
  insert: components['schemas']['storage.insert.params']
  find: components['schemas']['storage.find.params']
  findOne: components['schemas']['storage.findOne.params']
  update: components['schemas']['storage.update.params']
  remove: components['schemas']['storage.remove.params']
  count: components['schemas']['storage.count.params']
}
