/** Patterns that the checker does not find linear, as they are written, and why each is no danger: its input and the bound of that. */
export const allowed: Readonly<Record<string, string>> = {
  '/<script\\b[^>]*?\\bsrc="(\\.[^"]+)"[^>]*>\\s*<\\/script>/gi':
    "the build tool of apps, on the author's own machine and files",
  '/<link\\b(?=[^>]*\\brel="stylesheet")[^>]*?\\bhref="(\\.[^"]+)"[^>]*>/gi':
    "the build tool of apps, on the author's own machine and files",
  '/(<img\\b[^>]*?\\bsrc=")(\\.[^"]+)(")/gi': "the build tool of apps, on the author's own machine and files",
  '/\\bplatform((?:\\??\\.[A-Za-z_$][\\w$]*|\\["[^"]+"\\])+)\\(/g':
    "the build tool of apps, on the author's own machine and files",
  '/^(?:0|[1-9]\\d{0,8})\\.(?:0|[1-9]\\d{0,8})\\.(?:0|[1-9]\\d{0,8})(?:-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$/u':
    'linear: a version has separators that its parts cannot contain; at most 100 characters in manifests',
  '/\\/+$/': 'the base URL that the author of a client program writes',
  "/\\/\\*[\\s\\S]*?\\*\\/|\\/\\/.*|'[^']*'|`[^`]*`/g":
    'the generator of packs, on code that it has made itself',
  '/\\bexport\\s+((async\\s+)?function|const)\\s+down\\b|\\bexport\\s*\\{[^}]*\\bdown\\b/':
    'migrations of packs, which the operator has installed',
  '/^Failed building the (?:validation|serialization) schema for [A-Z,]+: (\\S+),/':
    'linear: anchored at the start, and no two parts match the same text one after the other; the checker gives up; messages of Fastify about schemas of packs',
  '/(?<![\\w.])(file:\\/\\/)?\\/([^\\s\'"`()/]+\\/)*(?=[^\\s\'"`()/]+\\.\\w)/g':
    "messages of errors in packs' own files, which the operator has installed",
  '/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g':
    'linear: between two of its beginnings there is a hyphen, where the match ends; the checker gives up',
  '/^(?!/|.*(?:[/.]|\\.lock)$|.*(?:\\.\\.|//|@\\{|/\\.)|[-.@])[^\\u0000-\\u0020~^:?*\\[\\\\\\u007f]+$/u':
    'linear: anchored at the start; the checker takes lookarounds into account only roughly; names of branches',
  '/^(\\S+) \\S+ \\S+ \\S+ (\\d+) +\\S/':
    'linear: anchored at the start, and no two parts match the same text one after the other; the checker gives up',
  '/\\.?0+$/': 'in the browser, on costs as the API writes them: at most 30 digits',
  '/<dc:title>([^<]{1,500})<\\/dc:title>/':
    'linear: the text of a title contains no `<`, where the next match begins; the checker gives up',
  '/<meta\\s[^>]{0,200}charset\\s*=\\s*["\']?([\\w.:-]{1,40})/i': 'the first 1,024 bytes of a document',
  '/pixel limit|exceeds.{0,99}limit/i':
    'a bounded number of steps for each character: 99; messages of decoders',
  '/memory|invalid.{0,99}length/i': 'a bounded number of steps for each character: 99; messages of decoders',
  '/^(?!\\s)(?!\\.{1,2}$)(?:[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029/\\\\]*(?!\\s)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029/\\\\])$/u':
    'linear: anchored at the start; the checker takes lookarounds into account only roughly',
  '/(?<!\\\\)\\[\\[([^[\\]\\n]{1,500})\\]\\]/g':
    'linear: the text of a link contains no `[`, where the next match begins',
  '/(?<![\\p{L}\\p{N}_&/#[])#(\\p{L}[\\p{L}\\p{N}_/-]{0,99})/gu':
    'linear: a tag contains no `#`, where the next match begins',
  '/^(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)])){40}|(?<!\\[)\\[{100}|(?<![*_][^\\s*_]?)[*_](?:[^\\s*_]?[*_]){399}/m':
    'linear: the parts of each alternative differ in their first character, and lookbehinds let only the start of a row of marks begin a match',
  '/\\S(?:.|\\n(?![ \\t]*\\r?\\n))*/g':
    'linear: the lookahead reads the white space of one line, and nothing follows that could fail',
  '/^\\S+ (\\S+) cgroup2 /m': "the kernel's list of mounts",
  '/^(host|connection|content-.*|transfer-encoding|te|upgrade|accept.*|origin|cookie|mcp-.*|last-event-id|user-agent|proxy-.*)$/i':
    'linear: each alternative is anchored, and repeats only one part; the checker gives up',
  '/^(retry-after|retry-after-ms|content-type|x-request-id|request-id|x-should-retry|x-ratelimit-.*)$/':
    'linear: each alternative is anchored, and repeats only one part; the checker gives up',
  '/\\?\\s*$|^\\s*(?:who|what|when|where|which|whose|why|how)\\b/i':
    'linear: between two question marks the white space is read once; the checker gives up',
  '/(?<=[.!?])\\s+|\\n+/': 'linear: only the white space right behind the punctuation begins a match',
  '/^(name|title|status|code|kind|role|level|version|size|milliseconds|isError|prefix|target|trigger|environment|slug|modelId|modelProvider|toolName|providerKey|.*Id)$/':
    'linear: each alternative is anchored, and repeats only one part; the checker gives up',
  '/^(?!AGENT_PLATFORM_|LD_|NODE_OPTIONS$)[A-Za-z_][A-Za-z0-9_]{0,99}$/u':
    'linear: anchored at the start; the checker takes lookarounds into account only roughly',
  '/^[\\t\\n\\r ]+|[\\t\\n\\r ]+$/g': "in the sandbox, at the expense of the app's own CPU time",
  '/^[\\0-\\x20]+|[\\0-\\x20]+$/g': "in the sandbox, at the expense of the app's own CPU time",
  '/^(?:text\\/|image\\/svg\\+xml\\b|application\\/(?:[\\w.-]+\\+)?(?:json|xml|yaml)\\b|application\\/(?:javascript|x-ndjson|x-yaml|toml|sql)\\b)/':
    'linear: anchored at the start, and no two parts match the same text one after the other; the checker gives up',
  '/^(?:connection|content-encoding|content-length|expect|host|idempotency-key|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i':
    'linear: each alternative is anchored, and repeats only one part; the checker gives up',
  '/^(?=.*[0-9])[A-Za-z0-9+/_=.~-]{20,}$/':
    'linear: anchored at the start; the checker takes lookarounds into account only roughly',
  '/^(?:text\\/|application\\/(?:xml|javascript|x-www-form-urlencoded|yaml|x-ndjson|[\\w.-]+\\+(?:xml|yaml))\\b)/i':
    'linear: anchored at the start, and no two parts match the same text one after the other; the checker gives up',
  '/(\\S+) (\\S+)/g': 'a constant text in the same file',
  '/^(?:connection|content-encoding|content-length|keep-alive|proxy-.*|set-cookie2?|te|trailer|transfer-encoding|upgrade)$/i':
    'linear: each alternative is anchored, and repeats only one part; the checker gives up',
  '/^(?:accept-encoding|connection|content-encoding|content-length|cookie2?|date|expect|forwarded|host|http2-settings|keep-alive|origin|proxy-.*|referer|sec-.*|set-cookie2?|te|trailer|transfer-encoding|upgrade|via|x-forwarded-.*|x-real-ip)$/i':
    'linear: each alternative is anchored, and repeats only one part; the checker gives up',
  '/(\\/\\/)[^/\\s:@]*:[^/\\s@]*@|([?&](?:token|key|code|state|secret|access_token)=)[^&\\s]*|\\b(ap_(?:live|test)_|apk_|apt_|apn_|eyJ|Bearer )[\\w.-]+/gi':
    'linear: each part ends at a character that the next match needs to begin; the checker gives up'
}

/** Patterns whose text is known only at run time, and why each is no danger. */
export const madeAtRunTime: Readonly<Record<string, string>> = {
  'apps-sdk/app/src/command/create.ts: new RegExp(APP_ID)':
    'a constant of grants/schema.ts, for the ID that the author types',
  'apps-sdk/app/src/grants/schema.ts: pattern: CAPABILITY_NAME':
    'a constant of the catalogue: parts of letters, separated by dots',
  'kernel/packs/loader/manifest.ts: pattern': 'two constants of the same file, for the manifests of packs',
  "kernel/untrusted/html.ts: new RegExp(`</${found}(?=[\\\\s/>])`, 'gi')":
    'one of seven names of elements, which repeats nothing',
  'kernel/untrusted/schemas/json-schema.ts: new RegExp(pattern)':
    "patterns of users' schemas: compiled and applied in a worker thread with a time limit (schemas.ts)",
  'kernel/untrusted/schemas/json-schema.ts: new RegExp(pattern, flags)':
    "patterns of users' schemas: compiled and applied in a worker thread with a time limit (schemas.ts)",
  'plugins/computers/settings.ts: pattern: images':
    'a constant of the same file: names separated by commas, in settings of the operator',
  'plugins/console/web/app/pages.ts: new RegExp(`^${path}/?$`)':
    'paths of pages, which packs declare, in the browser',
  "plugins/docs/openapi/example-text.ts: new RegExp(pattern, 'u')":
    "patterns of the platform's own routes, on examples made for them",
  'plugins/docs/openapi/paths.ts: pattern':
    "patterns of the platform's own routes, which are only written down",
  "plugins/extraction/formats/detection.ts: new RegExp(`\\\\p{Script=${it}}`, 'u')":
    'one character of a script',
  "plugins/extraction/formats/pdf.ts: new RegExp(`${String.fromCharCode(2)}(?:\\\\r?\\\\n)?`, 'g')":
    'one character, and at most one line break',
  "plugins/mcp/commands.ts: new RegExp(`^(?:${pattern})$`, 's')":
    'patterns that the operator writes, for the arguments of programs',
  "plugins/models/chat-completions/concessions.ts: new RegExp(`\\\\b(${retainedFields.join('|')})\\\\b`)":
    'names of fields, which are constants without repetition',
  'plugins/providers/schemas.ts: pattern':
    'constants of the same file, each with one repetition, for settings of at most 2,000 characters',
  'plugins/sandbox/guest/clone.ts: new RegExp(value.source, value.flags)':
    "in the sandbox, at the expense of the app's own CPU time",
  "plugins/tools/redaction/redactor.ts: new RegExp(all.map(escaped).join('|') || '(?!)', 'g')":
    'secrets, each escaped, so that nothing is repeated',
  'plugins/ui-plugins/schemas/layout.ts: pattern: APP_ID':
    'a constant of grants/schema.ts, for IDs of at most 64 characters',
  'plugins/workflows/webhooks/tokens.ts: new RegExp(`^whk_[0-9a-z]{${ID_LENGTH}}_[0-9a-f]{64}$`)':
    'constants: a fixed length'
}
