(() => {
  // wire.ts
  function fieldsOf(line, count) {
    const fields = [];
    let start2 = 0;
    while (fields.length < count - 1) {
      const end = line.indexOf("	", start2);
      if (end < 0) break;
      fields.push(line.slice(start2, end));
      start2 = end + 1;
    }
    fields.push(line.slice(start2));
    return fields;
  }

  // guest/console.ts
  var LONGEST = 4096;
  function createConsole(log) {
    const at = (level) => (...values) => log(level, values.map(shown).join(" ").slice(0, LONGEST));
    return { debug: at("debug"), log: at("info"), info: at("info"), warn: at("warn"), error: at("error") };
  }
  function shown(value) {
    if (typeof value === "string") return value.slice(0, LONGEST);
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  }

  // guest/events.ts
  var DOMException = class extends Error {
    constructor(message = "", name = "Error") {
      super(message);
      this.name = name;
    }
  };
  var Event = class {
    type;
    cancelable;
    target = null;
    defaultPrevented = false;
    isStopped = false;
    constructor(type, options = {}) {
      this.type = String(type);
      this.cancelable = options.cancelable === true;
    }
    preventDefault() {
      if (this.cancelable) this.defaultPrevented = true;
    }
    stopImmediatePropagation() {
      this.isStopped = true;
    }
  };
  var EventTarget = class {
    #listeners = /* @__PURE__ */ new Map();
    addEventListener(type, listener, options = {}) {
      if (!listener) return;
      const listeners = this.#listeners.get(type) ?? /* @__PURE__ */ new Map();
      this.#listeners.set(type, listeners);
      const once = typeof options === "object" && options.once === true;
      if (!listeners.has(listener)) listeners.set(listener, { once });
    }
    removeEventListener(type, listener) {
      if (listener) this.#listeners.get(type)?.delete(listener);
    }
    /** What a listener throws is nobody's business but its own. */
    dispatchEvent(event) {
      event.target = this;
      for (const [listener, { once }] of [...this.#listeners.get(event.type) ?? []]) {
        if (event.isStopped) break;
        if (once) this.removeEventListener(event.type, listener);
        try {
          if (typeof listener === "function") listener.call(this, event);
          else listener.handleEvent(event);
        } catch {
        }
      }
      return !event.defaultPrevented;
    }
  };
  var inside = /* @__PURE__ */ Symbol("inside");
  var AbortSignal = class extends EventTarget {
    onabort = null;
    #reason;
    #aborted = false;
    constructor(by) {
      super();
      if (by !== inside) throw new TypeError("A signal is made by an AbortController");
    }
    get aborted() {
      return this.#aborted;
    }
    get reason() {
      return this.#reason;
    }
    throwIfAborted() {
      if (this.#aborted) throw this.#reason;
    }
    static abort(reason) {
      const controller = new AbortController();
      controller.abort(reason);
      return controller.signal;
    }
    static timeout(ms) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException("The time is over", "TimeoutError")), ms);
      return controller.signal;
    }
    static any(signals) {
      const controller = new AbortController();
      for (const signal of signals) {
        if (signal.aborted) controller.abort(signal.reason);
        else signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
      }
      return controller.signal;
    }
    static [inside](signal, reason) {
      if (signal.#aborted) return;
      signal.#aborted = true;
      signal.#reason = reason;
      const event = new Event("abort");
      try {
        signal.onabort?.(event);
      } catch {
      }
      signal.dispatchEvent(event);
    }
  };
  var AbortController = class {
    signal = new AbortSignal(inside);
    abort(reason = new DOMException("It was aborted", "AbortError")) {
      AbortSignal[inside](this.signal, reason);
    }
  };

  // guest/encoding.ts
  var ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  var VALUES = new Map([...ALPHABET].map((letter, value) => [letter.charCodeAt(0), value]));
  var SLICE = 8192;
  function bytesOf(data) {
    if (typeof data === "string") return utf8Of(data);
    if (data instanceof ArrayBuffer) return new Uint8Array(data);
    if (ArrayBuffer.isView(data))
      return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    throw new TypeError("Bytes are an ArrayBuffer or a view of one");
  }
  function toBase64(bytes) {
    const parts = [];
    for (let n = 0; n < bytes.length; n += 3) {
      const [a = 0, b = 0, c = 0] = [bytes[n], bytes[n + 1], bytes[n + 2]];
      const [third, fourth] = [n + 1 < bytes.length, n + 2 < bytes.length];
      parts.push(
        ALPHABET[a >> 2] + ALPHABET[(a & 3) << 4 | b >> 4] + (third ? ALPHABET[(b & 15) << 2 | c >> 6] : "=") + (fourth ? ALPHABET[c & 63] : "=")
      );
    }
    return parts.join("");
  }
  function fromBase64(given) {
    const spaceless = given.replace(/[\t\n\f\r ]/g, "");
    const text = spaceless.length % 4 === 0 ? spaceless.replace(/={1,2}$/, "") : spaceless;
    if (text.length % 4 === 1) throw new TypeError("It is not base64");
    const bytes = new Uint8Array(Math.floor(text.length * 3 / 4));
    let [bits, held, at] = [0, 0, 0];
    for (let n = 0; n < text.length; n++) {
      const value = VALUES.get(text.charCodeAt(n));
      if (value === void 0) throw new TypeError("It is not base64");
      held = (held << 6 | value) & 16777215;
      bits += 6;
      if (bits < 8) continue;
      bits -= 8;
      bytes[at++] = held >> bits & 255;
    }
    return bytes;
  }
  function btoa(data) {
    const text = String(data);
    const bytes = new Uint8Array(text.length);
    for (let n = 0; n < text.length; n++) {
      const code = text.charCodeAt(n);
      if (code > 255) throw new RangeError("btoa takes characters up to U+00FF");
      bytes[n] = code;
    }
    return toBase64(bytes);
  }
  var atob = (data) => charactersOf(fromBase64(String(data)));
  function charactersOf(codes) {
    let text = "";
    for (let n = 0; n < codes.length; n += SLICE)
      text += String.fromCharCode.apply(null, codes.slice(n, n + SLICE));
    return text;
  }
  function utf8Of(given) {
    const text = given.toWellFormed();
    const bytes = new Uint8Array(text.length * 3);
    let at = 0;
    for (let n = 0; n < text.length; n++) {
      const code = text.codePointAt(n);
      if (code < 128) bytes[at++] = code;
      else if (code < 2048) at = put(bytes, at, code, 1, 192);
      else if (code < 65536) at = put(bytes, at, code, 2, 224);
      else {
        at = put(bytes, at, code, 3, 240);
        n++;
      }
    }
    return bytes.slice(0, at);
  }
  function put(bytes, at, code, more, mark) {
    bytes[at] = mark | code >> 6 * more;
    for (let n = 1; n <= more; n++) bytes[at + n] = 128 | code >> 6 * (more - n) & 63;
    return at + more + 1;
  }
  var LEAST = [0, 128, 2048, 65536];
  function textOf(bytes, fatal = false) {
    const units = [];
    for (let n = 0; n < bytes.length; ) {
      const first = bytes[n++];
      const more = first < 128 ? 0 : first < 194 ? -1 : first < 224 ? 1 : first < 240 ? 2 : first < 245 ? 3 : -1;
      let code = more < 1 ? first : first & 63 >> more;
      let left = more;
      for (; left > 0 && isNext(bytes[n], first, left === more); left--)
        code = code << 6 | bytes[n++] & 63;
      if (left !== 0 || code < LEAST[more]) {
        if (fatal) throw new TypeError("It is not UTF-8");
        units.push(65533);
      } else if (code > 65535) units.push(55232 + (code >> 10), 56320 | code & 1023);
      else units.push(code);
    }
    return charactersOf(units);
  }
  function isNext(byte, first, isSecond) {
    if (byte === void 0) return false;
    const least = isSecond && first === 224 ? 160 : isSecond && first === 240 ? 144 : 128;
    const most = isSecond && first === 237 ? 159 : isSecond && first === 244 ? 143 : 191;
    return byte >= least && byte <= most;
  }
  var TextEncoder = class {
    encoding = "utf-8";
    encode(text = "") {
      return utf8Of(String(text));
    }
  };
  var TextDecoder = class {
    encoding = "utf-8";
    fatal;
    ignoreBOM;
    constructor(label = "utf-8", options = {}) {
      if (!/^\s*utf-?8\s*$/i.test(label)) throw new RangeError("Texts are UTF-8");
      this.fatal = options.fatal === true;
      this.ignoreBOM = options.ignoreBOM === true;
    }
    decode(data = new ArrayBuffer(0)) {
      const text = textOf(bytesOf(data), this.fatal);
      return !this.ignoreBOM && text.charCodeAt(0) === 65279 ? text.slice(1) : text;
    }
  };

  // guest/headers.ts
  var NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
  var FORBIDDEN = /[\0\r\n]/;
  var nameOf = (name) => {
    const lower = String(name).toLowerCase();
    if (!NAME.test(lower)) throw new TypeError("That is no name of a header");
    return lower;
  };
  var Headers = class {
    #values = /* @__PURE__ */ new Map();
    constructor(init = {}) {
      const pairs = Symbol.iterator in init ? init : Object.entries(init);
      for (const [name, value] of pairs) this.append(name, value);
    }
    append(name, value) {
      const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
      if (FORBIDDEN.test(text)) throw new TypeError("A header has one line");
      const key = nameOf(name);
      this.#values.set(key, [...this.#values.get(key) ?? [], text]);
    }
    set(name, value) {
      this.delete(name);
      this.append(name, value);
    }
    delete(name) {
      this.#values.delete(nameOf(name));
    }
    get(name) {
      return this.#values.get(nameOf(name))?.join(", ") ?? null;
    }
    has(name) {
      return this.#values.has(nameOf(name));
    }
    getSetCookie() {
      return [...this.#values.get("set-cookie") ?? []];
    }
    *entries() {
      for (const name of [...this.#values.keys()].sort()) {
        const values = this.#values.get(name) ?? [];
        for (const value of name === "set-cookie" ? values : [values.join(", ")]) yield [name, value];
      }
    }
    *keys() {
      for (const [name] of this.entries()) yield name;
    }
    *values() {
      for (const [, value] of this.entries()) yield value;
    }
    forEach(work) {
      for (const [name, value] of this.entries()) work(value, name, this);
    }
    [Symbol.iterator]() {
      return this.entries();
    }
  };

  // guest/url-search-params.ts
  var URLSearchParams = class _URLSearchParams {
    #pairs;
    #changed = () => void 0;
    constructor(init = "") {
      if (typeof init === "string") this.#pairs = parse(init.replace(/^\?/, ""));
      else {
        const pairs = Symbol.iterator in init ? [...init] : Object.entries(init);
        this.#pairs = pairs.map(([name, value]) => [formed(name), formed(value)]);
      }
    }
    get size() {
      return this.#pairs.length;
    }
    append(name, value) {
      this.#pairs.push([formed(name), formed(value)]);
      this.#changed(String(this));
    }
    set(name, value) {
      const key = formed(name);
      const first = this.#pairs.findIndex(([it]) => it === key);
      if (first < 0) {
        this.append(name, value);
        return;
      }
      this.#pairs = this.#pairs.filter(([it], at) => it !== key || at === first);
      this.#pairs[first] = [key, formed(value)];
      this.#changed(String(this));
    }
    delete(name, value) {
      const gone = ([it, its]) => it === formed(name) && (value === void 0 || its === formed(value));
      this.#pairs = this.#pairs.filter((pair) => !gone(pair));
      this.#changed(String(this));
    }
    sort() {
      this.#pairs.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
      this.#changed(String(this));
    }
    get(name) {
      return this.#pairs.find(([it]) => it === formed(name))?.[1] ?? null;
    }
    getAll(name) {
      return this.#pairs.filter(([it]) => it === formed(name)).map(([, value]) => value);
    }
    has(name, value) {
      return this.#pairs.some(
        ([it, its]) => it === formed(name) && (value === void 0 || its === formed(value))
      );
    }
    forEach(work) {
      for (const [name, value] of this.#pairs) work(value, name, this);
    }
    *entries() {
      for (const [name, value] of this.#pairs) yield [name, value];
    }
    *keys() {
      for (const [name] of this.#pairs) yield name;
    }
    *values() {
      for (const [, value] of this.#pairs) yield value;
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    toString() {
      return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
    }
    /** Those of a URL, which changes with them. */
    static of(query, changed) {
      const params = new _URLSearchParams(query);
      params.#changed = changed;
      return params;
    }
    /** The URL has another query now. */
    static refill(params, query) {
      params.#pairs = parse(query.replace(/^\?/, ""));
    }
  };
  var formed = (text) => String(text).toWellFormed();
  var parse = (text) => text.split("&").filter((part) => part !== "").map((part) => {
    const [name = "", ...value] = part.split("=");
    return [decode(name), decode(value.join("="))];
  });
  function decode(text) {
    const spaced = text.replaceAll("+", " ");
    if (!spaced.includes("%")) return spaced;
    const given = utf8Of(spaced);
    const bytes = [];
    for (let n = 0; n < given.length; n++) {
      const digits = given[n] === 37 ? String.fromCharCode(given[n + 1] ?? 0, given[n + 2] ?? 0) : "";
      const isByte = /^[0-9a-f]{2}$/i.test(digits);
      bytes.push(isByte ? Number.parseInt(digits, 16) : given[n]);
      if (isByte) n += 2;
    }
    return textOf(new Uint8Array(bytes));
  }
  var encode = (text) => encodeURIComponent(text).replace(/[!'()~]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll("%20", "+");

  // guest/url.ts
  var PORTS = { "http:": "80", "https:": "443", "ws:": "80", "wss:": "443" };
  var PARTS = /^([a-z][a-z0-9+.-]*:)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/is;
  var HOST = /^(\[[0-9a-f:.]+\]|[^:]*)(?::(\d*))?$/i;
  var NO_HOST = /[\0-\x20#%/:<>?@[\\\]^`{|}\x7f]/;
  var URL = class _URL {
    #parsed;
    #params;
    constructor(url, base) {
      this.#parsed = parse2(String(url), base === void 0 ? void 0 : parse2(String(base)));
    }
    static canParse(url, base) {
      return _URL.parse(url, base) !== null;
    }
    static parse(url, base) {
      try {
        return new _URL(url, base);
      } catch {
        return null;
      }
    }
    get href() {
      return hrefOf(this.#parsed);
    }
    set href(value) {
      this.#parsed = parse2(String(value));
      if (this.#params) URLSearchParams.refill(this.#params, this.search);
    }
    get protocol() {
      return this.#parsed.protocol;
    }
    get username() {
      return this.#parsed.host?.user ?? "";
    }
    get password() {
      return this.#parsed.host?.password ?? "";
    }
    get hostname() {
      return this.#parsed.host?.name ?? "";
    }
    get port() {
      return this.#parsed.host?.port ?? "";
    }
    get host() {
      return this.port === "" ? this.hostname : `${this.hostname}:${this.port}`;
    }
    get origin() {
      return PORTS[this.protocol] ? `${this.protocol}//${this.host}` : "null";
    }
    get pathname() {
      return this.#parsed.path;
    }
    set pathname(value) {
      const path = encoded(String(value), PATH);
      this.#parsed = { ...this.#parsed, path: this.#parsed.host ? rooted(path) : path };
    }
    get search() {
      return this.#parsed.search;
    }
    set search(value) {
      this.#parsed = { ...this.#parsed, search: after("?", String(value), QUERY) };
      if (this.#params) URLSearchParams.refill(this.#params, this.search);
    }
    get hash() {
      return this.#parsed.hash;
    }
    set hash(value) {
      this.#parsed = { ...this.#parsed, hash: after("#", String(value), HASH) };
    }
    get searchParams() {
      this.#params ??= URLSearchParams.of(this.search, (text) => {
        this.#parsed = { ...this.#parsed, search: text && `?${text}` };
      });
      return this.#params;
    }
    toString() {
      return this.href;
    }
    toJSON() {
      return this.href;
    }
  };
  var PATH = /[\0-\x20"#<>?^`{}\x7f-\uffff]+/gu;
  var QUERY = /[\0-\x20"#<>'\x7f-\uffff]+/gu;
  var HASH = /[\0-\x20"<>`\x7f-\uffff]+/gu;
  var USER = /[\0-\x20"#<>?`{}/:;=@[\\\]^|\x7f-\uffff]+/gu;
  var encoded = (text, what) => text.toWellFormed().replace(
    what,
    (it) => encodeURIComponent(it).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
  );
  var after = (mark, text, what) => {
    const bare = text.startsWith(mark) ? text.slice(1) : text;
    return bare === "" ? "" : mark + encoded(bare, what);
  };
  function parse2(given, base) {
    const text = given.replace(/^[\0-\x20]+|[\0-\x20]+$/g, "").replace(/[\t\n\r]/g, "");
    const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0].toLowerCase();
    const isWeb = PORTS[scheme ?? base?.protocol ?? ""] !== void 0;
    const [, , authority, path = "", search, hash = ""] = PARTS.exec(isWeb ? slashed(text) : text) ?? [];
    const protocol = scheme ?? base?.protocol;
    if (protocol === void 0) throw new TypeError("Invalid URL");
    const ends = { protocol, search: after("?", search ?? "", QUERY), hash: after("#", hash, HASH) };
    if (authority !== void 0)
      return { ...ends, host: hostOf(authority, protocol), path: rooted(encoded(path, PATH)) };
    if (scheme && isWeb) return parse2(`${scheme}//${text.slice(scheme.length).replace(/^[/\\]+/, "")}`);
    if (scheme) return { ...ends, host: void 0, path: encoded(path, PATH) };
    if (!base?.host) throw new TypeError("Invalid URL");
    if (path === "")
      return {
        ...ends,
        host: base.host,
        path: base.path,
        search: search === void 0 ? base.search : ends.search
      };
    const folder = path.startsWith("/") ? "" : base.path.slice(0, base.path.lastIndexOf("/") + 1);
    return { ...ends, host: base.host, path: rooted(encoded(folder + path, PATH)) };
  }
  var slashed = (text) => text.replace(/^[^?#]*/, (it) => it.replaceAll("\\", "/"));
  function hostOf(authority, protocol) {
    const at = authority.lastIndexOf("@");
    const [user = "", ...password] = authority.slice(0, Math.max(at, 0)).split(":");
    const [, host = "", port = ""] = HOST.exec(authority.slice(at + 1)) ?? ["", "\0"];
    const name = host.toLowerCase();
    const isForbidden = !name.startsWith("[") && (NO_HOST.test(name) || /[^\0-\x7f]/.test(name));
    if (isForbidden || PORTS[protocol] && name === "" || Number(port) > 65535)
      throw new TypeError("Invalid URL");
    const secret = { user: encoded(user, USER), password: encoded(password.join(":"), USER) };
    const number = port === "" ? "" : String(Number(port));
    return { name, port: number === PORTS[protocol] ? "" : number, ...secret };
  }
  function rooted(path) {
    const parts = [];
    const given = path.replace(/^\//, "").split("/");
    for (const [at, part] of given.entries()) {
      const plain = part.replace(/%2e/gi, ".");
      const isLast = at === given.length - 1;
      if (plain === "..") parts.pop();
      else if (plain !== ".") parts.push(part);
      if (isLast && (plain === "." || plain === "..")) parts.push("");
    }
    return `/${parts.join("/")}`;
  }
  function hrefOf({ protocol, host, path, search, hash }) {
    const password = host?.password ? `:${host.password}` : "";
    const user = host && (host.user || password) ? `${host.user}${password}@` : "";
    const port = host?.port ? `:${host.port}` : "";
    return `${protocol}${host ? `//${user}${host.name}${port}` : ""}${path}${search}${hash}`;
  }

  // guest/messages.ts
  var Body = class {
    #content = null;
    #isUsed = false;
    headers;
    constructor(body, headers) {
      this.headers = new Headers(headers);
      if (body === void 0 || body === null) return;
      const isText = typeof body === "string" || body instanceof URLSearchParams;
      this.#content = isText ? String(body) : bytesOf(body).slice();
      const type = body instanceof URLSearchParams ? "application/x-www-form-urlencoded" : "text/plain";
      if (isText && !this.headers.has("content-type")) this.headers.set("content-type", `${type};charset=UTF-8`);
    }
    get bodyUsed() {
      return this.#isUsed;
    }
    async text() {
      const content = this.#take();
      return typeof content === "string" ? content : textOf(content);
    }
    async json() {
      return JSON.parse(await this.text());
    }
    async bytes() {
      const content = this.#take();
      return typeof content === "string" ? utf8Of(content) : content;
    }
    async arrayBuffer() {
      return (await this.bytes()).slice().buffer;
    }
    #take() {
      if (this.#isUsed) throw new TypeError("The body has been read");
      if (this.#content !== null) this.#isUsed = true;
      return this.#content ?? "";
    }
    static content(of) {
      if (of.#isUsed) throw new TypeError("The body has been read");
      return of.#content;
    }
  };
  function crossingOf(message) {
    const content = Body.content(message);
    if (content === null) return void 0;
    return typeof content === "string" ? { text: content } : { base64: toBase64(content) };
  }
  var Request = class _Request extends Body {
    url;
    method;
    signal;
    redirect;
    connection;
    constructor(input, init = {}) {
      const given = input instanceof _Request ? input : void 0;
      const method = String(init.method ?? given?.method ?? "GET").toUpperCase();
      const body = init.body ?? (given ? Body.content(given) : void 0);
      if (body !== void 0 && body !== null && /^(GET|HEAD)$/.test(method))
        throw new TypeError(`A ${method} has no body`);
      super(body, init.headers ?? given?.headers);
      this.url = given ? given.url : new URL(String(input)).href;
      this.method = method;
      this.signal = init.signal ?? given?.signal ?? null;
      this.redirect = init.redirect ?? given?.redirect ?? "follow";
      this.connection = init.connection ?? given?.connection;
    }
    clone() {
      return new _Request(this);
    }
  };
  var Response = class _Response extends Body {
    status;
    statusText;
    url = "";
    constructor(body, init = {}) {
      super(body, init.headers);
      this.status = Number(init.status ?? 200);
      if (!(this.status >= 200 && this.status <= 599)) throw new RangeError("That is no status of a response");
      this.statusText = String(init.statusText ?? "");
    }
    get ok() {
      return this.status < 300;
    }
    clone() {
      return Object.assign(new _Response(Body.content(this), this), { url: this.url });
    }
    static json(value, init = {}) {
      const headers = new Headers(init.headers);
      if (!headers.has("content-type")) headers.set("content-type", "application/json");
      return new _Response(JSON.stringify(value), { ...init, headers });
    }
  };
  function responseOf({ status, statusText, url = "", headers = [], body }) {
    const content = body && ("text" in body ? utf8Of(body.text) : fromBase64(body.base64));
    return Object.assign(new Response(content, { status, statusText, headers }), { url });
  }

  // guest/fetch.ts
  var createFetch = (ask) => async (input, init) => {
    const request = new Request(input, init);
    const { url, method, redirect, connection, signal } = request;
    signal?.throwIfAborted();
    const body = crossingOf(request);
    const asked = ask("fetch", {
      ...{ url, method, redirect, headers: [...request.headers] },
      ...connection !== void 0 && { connection },
      ...body && { body }
    });
    return responseOf(await (signal ? Promise.race([asked, abortOf(signal)]) : asked));
  };
  var abortOf = (signal) => new Promise(
    (_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  );

  // guest/call.ts
  var LONGEST_WORDS = 1e3;
  var LONGEST_NAME = 100;
  function createCall(id, about, { say, messageSize }) {
    const pending = /* @__PURE__ */ new Map();
    const controller = new AbortController();
    let count = 0;
    let isOver = false;
    function end(line) {
      if (isOver) return;
      isOver = true;
      if (line.length <= messageSize) say(line);
      else
        say(`f	${id}	${failure("message_too_large", `The result is larger than ${messageSize} characters`)}`);
      for (const { reject } of pending.values()) reject(errorOf("call_ended", "The call has ended"));
      pending.clear();
    }
    function ask(method, params = null) {
      return new Promise((resolve, reject) => {
        if (isOver) throw errorOf("call_ended", "The call that this context belongs to has ended");
        const number = String(++count);
        const line = `h	${id}	${number}	${JSON.stringify(String(method))}	${JSON.stringify(params) ?? "null"}`;
        if (line.length > messageSize) {
          end(`f	${id}	${failure("message_too_large", `A message is larger than ${messageSize} characters`)}`);
          throw errorOf("message_too_large", "The message is too large");
        }
        say(line);
        pending.set(number, { resolve, reject });
      });
    }
    function log(level, text) {
      if (!isOver) say(`l	${id}	${level}	${JSON.stringify(text)}`);
    }
    return {
      context: Object.freeze({
        about: Object.freeze(about),
        call: ask,
        platform: methods(ask, ""),
        storage: methods(ask, "storage"),
        fetch: createFetch(ask),
        console: createConsole(log),
        signal: controller.signal
      }),
      log,
      succeed: (result) => end(`r	${id}	${JSON.stringify(result) ?? "null"}`),
      fail: (code, message) => end(`f	${id}	${failure(code, message)}`),
      threw(error) {
        const { name, message, code } = partsOf(error);
        const detail = { name, ...code !== void 0 && { code } };
        end(`f	${id}	${JSON.stringify({ code: "app_error", message, detail })}`);
      },
      answer(number, ok, json) {
        const waiting = pending.get(number);
        pending.delete(number);
        if (ok) return waiting?.resolve(JSON.parse(json));
        const { code, message } = JSON.parse(json);
        waiting?.reject(errorOf(code, message));
      },
      /** Nobody waits for it any more. */
      leave() {
        isOver = true;
        controller.abort();
        for (const { reject } of pending.values()) reject(errorOf("aborted", "The caller has left"));
        pending.clear();
      }
    };
  }
  var failure = (code, message) => JSON.stringify({ code, message });
  var { Error: OwnError } = globalThis;
  var errorOf = (code, message) => Object.assign(new OwnError(message), { code });
  function partsOf(thrown) {
    try {
      if (typeof thrown !== "object" || thrown === null)
        return { name: typeof thrown, message: String(thrown).slice(0, LONGEST_WORDS) };
      const { name, message, code } = thrown;
      return {
        name: String(name ?? "Error").slice(0, LONGEST_NAME),
        message: String(message ?? "").slice(0, LONGEST_WORDS),
        ...typeof code === "string" && { code: code.slice(0, LONGEST_NAME) }
      };
    } catch {
      return { name: "Error", message: "What was thrown cannot be told" };
    }
  }
  function methods(ask, path) {
    const known = /* @__PURE__ */ new Map();
    return new Proxy((params) => ask(path, params), {
      get(_, name) {
        if (typeof name !== "string" || name === "then") return void 0;
        const under = known.get(name) ?? methods(ask, path === "" ? name : `${path}.${name}`);
        known.set(name, under);
        return under;
      }
    });
  }

  // guest/bridge.ts
  var MOST_UNSENT = 4;
  function createBridge({ post, timers, crypto, credit: most, messageSize }) {
    const calls = /* @__PURE__ */ new Map();
    let functions = {};
    let lines = [];
    let unsent = 0;
    let credit = most;
    let isFlushing = false;
    let current = "";
    function flush() {
      isFlushing = false;
      if (lines.length === 0 || credit <= 0) return;
      credit--;
      const text = lines.join("\n");
      lines = [];
      unsent = 0;
      if (typeof text === "string" && text.length <= 2 * MOST_UNSENT * messageSize) post(text);
    }
    function say(line) {
      unsent += line.length;
      if (unsent > MOST_UNSENT * messageSize) throw new RangeError("Too much is sent at a time");
      lines[lines.length] = line;
      if (isFlushing) return;
      isFlushing = true;
      afterThree(flush);
    }
    async function begin(line) {
      const [, id = "", name = "", about = "", input = ""] = fieldsOf(line, 5);
      const call = createCall(id, JSON.parse(about), { say, messageSize });
      calls.set(id, call);
      current = id;
      try {
        const fn = Object.hasOwn(functions, JSON.parse(name)) ? functions[JSON.parse(name)] : void 0;
        if (typeof fn !== "function") call.fail("not_a_function", `There is no function ${name}`);
        else call.succeed(await fn(JSON.parse(input), call.context));
      } catch (error) {
        call.threw(error);
      } finally {
        calls.delete(id);
      }
    }
    function hear(line) {
      const kind = line[0];
      if (kind === "c") return void begin(line);
      if (kind === "?") return say(line);
      if (kind === "t") return timers.ring();
      const [, id = "", number = "", ok = "", json = ""] = fieldsOf(line, 5);
      if (kind === "k") return crypto.answer(id, number === "1", fieldsOf(line, 4)[3] ?? "");
      const call = calls.get(id);
      if (!call) return;
      current = id;
      if (kind === "a") call.answer(number, ok === "1", json);
      else if (kind === "x") call.leave();
    }
    timers.connect(say);
    crypto.connect(say);
    return {
      deliver(text, heard) {
        credit += heard;
        if (text !== "") for (const line of text.split("\n")) hear(line);
        if (lines.length > 0) flush();
      },
      /** Takes what the program's module exports; the names of its functions as JSON. */
      open(exported) {
        const found = exported.functions ?? exported.default?.functions;
        if (typeof found !== "object" || found === null) throw new TypeError("It exports no functions");
        functions = found;
        const names = Object.keys(functions).filter((name) => typeof functions[name] === "function");
        return JSON.stringify(names);
      },
      console: createConsole((level, text) => {
        const call = calls.get(current) ?? calls.values().next().value;
        call?.log(level, text);
      })
    };
  }
  var resolved = Promise.resolve();
  var afterThree = (work) => void resolved.then(() => resolved.then(() => resolved.then(work)));

  // guest/clone.ts
  var ERRORS = {
    ...{ Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError }
  };
  function structuredClone(value) {
    return copyOf(value, /* @__PURE__ */ new Map());
  }
  function copyOf(value, known) {
    if (typeof value === "function" || typeof value === "symbol")
      throw new TypeError(`A ${typeof value} cannot be cloned`);
    if (typeof value !== "object" || value === null) return value;
    if (known.has(value)) return known.get(value);
    const plain = plainCopyOf(value, known);
    if (plain) {
      known.set(value, plain);
      return plain;
    }
    if (value instanceof Map) {
      const copy2 = /* @__PURE__ */ new Map();
      known.set(value, copy2);
      for (const [key, item] of value) copy2.set(copyOf(key, known), copyOf(item, known));
      return copy2;
    }
    if (value instanceof Set) {
      const copy2 = /* @__PURE__ */ new Set();
      known.set(value, copy2);
      for (const item of value) copy2.add(copyOf(item, known));
      return copy2;
    }
    if (value instanceof WeakMap || value instanceof WeakSet || value instanceof Promise)
      throw new TypeError("It cannot be cloned");
    const copy = Array.isArray(value) ? new Array(value.length) : {};
    known.set(value, copy);
    for (const [key, item] of Object.entries(value))
      Object.defineProperty(copy, key, {
        value: copyOf(item, known),
        writable: true,
        enumerable: true,
        configurable: true
      });
    return copy;
  }
  function plainCopyOf(value, known) {
    if (value instanceof Date) return new Date(value.getTime());
    if (value instanceof RegExp) return new RegExp(value.source, value.flags);
    if (value instanceof Boolean || value instanceof Number || value instanceof String)
      return Object(value.valueOf());
    if (value instanceof ArrayBuffer) return value.slice(0);
    if (ArrayBuffer.isView(value)) {
      const buffer = copyOf(value.buffer, known);
      if (value instanceof DataView) return new DataView(buffer, value.byteOffset, value.byteLength);
      const { length } = value;
      return new value.constructor(buffer, value.byteOffset, length);
    }
    if (value instanceof Error) {
      const Made = ERRORS[value.name] ?? Error;
      const { cause } = value;
      return new Made(value.message, cause === void 0 ? void 0 : { cause: copyOf(cause, known) });
    }
    return void 0;
  }

  // guest/crypto.ts
  var POOL = 1024;
  var MOST_RANDOM = 65536;
  function createCrypto(random) {
    const waiting = /* @__PURE__ */ new Map();
    const secrets = /* @__PURE__ */ new WeakMap();
    let say = () => void 0;
    let count = 0;
    let pool = "";
    function digits(bytes) {
      if (bytes > POOL) return random(bytes);
      if (pool.length < 2 * bytes) pool = random(POOL);
      const taken = pool.slice(0, 2 * bytes);
      pool = pool.slice(2 * bytes);
      return taken;
    }
    const ask = (order) => new Promise((resolve, reject) => {
      const id = String(++count);
      say(`k	${id}	${JSON.stringify(order)}`);
      waiting.set(id, { resolve, reject });
    });
    const hashOf = (algorithm) => {
      const { name = algorithm } = algorithm ?? {};
      const hash = String(name).toUpperCase();
      if (!/^SHA-(1|256|384|512)$/.test(hash)) throw new TypeError(`There is no hash ${hash}`);
      return hash;
    };
    const orderOf = (key, usage, data) => {
      const secret = secrets.get(key);
      if (secret === void 0 || !key.usages.includes(usage))
        throw new TypeError(`The key is not one to ${usage} with`);
      return { op: usage, hash: key.algorithm.hash.name, key: secret, data: toBase64(bytesOf(data)) };
    };
    const subtle = {
      async digest(algorithm, data) {
        const order = { op: "digest", hash: hashOf(algorithm), data: toBase64(bytesOf(data)) };
        return fromBase64(await ask(order)).buffer;
      },
      async importKey(format, raw, algorithm, extractable, usages) {
        if (format !== "raw" || String(algorithm?.name).toUpperCase() !== "HMAC")
          throw new TypeError("A key is the raw one of an HMAC");
        const hash = { name: hashOf(algorithm.hash) };
        const made = {
          type: "secret",
          extractable,
          algorithm: { name: "HMAC", hash },
          usages: [...usages]
        };
        secrets.set(made, toBase64(bytesOf(raw)));
        return made;
      },
      sign: async (_, key, data) => fromBase64(await ask(orderOf(key, "sign", data))).buffer,
      verify: (_, key, signature, data) => ask({ ...orderOf(key, "verify", data), signature: toBase64(bytesOf(signature)) })
    };
    function getRandomValues(into) {
      const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
      if (bytes.length > MOST_RANDOM) throw new RangeError(`At most ${MOST_RANDOM} bytes at a time`);
      const given = digits(bytes.length);
      for (let n = 0; n < bytes.length; n++) bytes[n] = Number.parseInt(given.slice(2 * n, 2 * n + 2), 16);
      return into;
    }
    function randomUUID() {
      const [hex, variant] = [digits(16), "89ab"];
      const third = `4${hex.slice(13, 16)}`;
      const fourth = `${variant[Number.parseInt(hex[16], 16) & 3]}${hex.slice(17, 20)}`;
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${third}-${fourth}-${hex.slice(20)}`;
    }
    return {
      connect(send) {
        say = send;
      },
      answer(id, ok, json) {
        const order = waiting.get(id);
        waiting.delete(id);
        if (ok) order?.resolve(JSON.parse(json));
        else order?.reject(new Error(JSON.parse(json)));
      },
      global: { subtle, getRandomValues, randomUUID }
    };
  }

  // guest/timers.ts
  var MOST = 1e3;
  var LONGEST_MS = 2147483647;
  function createTimers() {
    const timers = /* @__PURE__ */ new Map();
    let count = 0;
    let asked;
    let say = () => void 0;
    function wait() {
      let due;
      for (const timer of timers.values()) if (due === void 0 || timer.due < due) due = timer.due;
      if (due === asked) return;
      asked = due;
      say(`t	${due === void 0 ? -1 : Math.max(0, due - Date.now())}`);
    }
    function set(work, ms, args, repeats) {
      if (typeof work !== "function") throw new TypeError("A timer calls a function");
      if (timers.size >= MOST) throw new RangeError(`There are ${MOST} timers`);
      const delay = Math.min(Math.max(Number(ms) || 0, repeats ? 1 : 0), LONGEST_MS);
      const timer = { due: Date.now() + delay, every: repeats ? delay : void 0, work: () => work(...args) };
      timers.set(++count, timer);
      wait();
      return count;
    }
    function clear(id) {
      if (timers.delete(id)) wait();
    }
    return {
      connect(send) {
        say = send;
      },
      ring() {
        asked = void 0;
        const now = Date.now();
        const due = [...timers].filter(([, timer]) => timer.due <= now).sort(([, a], [, b]) => a.due - b.due);
        for (const [id, timer] of due) {
          if (!timers.has(id)) continue;
          if (timer.every === void 0) timers.delete(id);
          else timers.set(id, { ...timer, due: now + timer.every });
          void Promise.resolve().then(timer.work).catch(() => void 0);
        }
        wait();
      },
      globals: {
        setTimeout: (work, ms, ...args) => set(work, ms, args, false),
        setInterval: (work, ms, ...args) => set(work, ms, args, true),
        clearTimeout: clear,
        clearInterval: clear
      }
    };
  }

  // guest/library.ts
  var fetch = () => {
    throw new TypeError("There is no fetch without a caller: use that of the context, (input, { fetch }) => \u2026");
  };
  var hidden = (value) => ({ value, writable: true, configurable: true, enumerable: false });
  var globals = {
    ...{
      structuredClone,
      atob,
      btoa,
      TextDecoder,
      TextEncoder,
      URL,
      URLSearchParams,
      Headers,
      Request,
      Response
    },
    ...{ AbortController, AbortSignal, DOMException, Event, EventTarget, fetch },
    queueMicrotask: (work) => void Promise.resolve().then(work)
  };
  for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, hidden(value));
  function start(post, random, credit, messageSize) {
    const timers = createTimers();
    const crypto = createCrypto(random);
    const bridge = createBridge({ post, timers, crypto, credit, messageSize });
    const made = { ...timers.globals, crypto: crypto.global, console: bridge.console };
    for (const [name, value] of Object.entries(made)) Object.defineProperty(globalThis, name, hidden(value));
    return { deliver: bridge.deliver, open: bridge.open };
  }
  Object.defineProperty(globalThis, "start", hidden(start));
})();
