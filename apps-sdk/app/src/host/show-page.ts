import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge'
import { failureOf, HOST_NAME, resultOf } from '../page/answers.ts'
import { createFrameTransport } from '../page/frame-transport.ts'
import { proxyDocument } from './proxy-document.ts'

export interface ShowOptions {
  /** Where its frame goes. */
  readonly container: HTMLElement
  /** The document; left out where the frame loads the page itself from `address`. */
  readonly html?: string
  /**
   * Address of the page itself, shown in place of `html`: for hosts whose own policy forbids inline scripts, as a frame of `srcdoc`
   * inherits that, and which are of the origin of the platform, so that the session of their user reaches it.
   */
  readonly address?: string
  /** What people call it. */
  readonly title: string
  /** Does what the page asks for, as `POST /v1/ui-plugins/:pluginId/gateway` does. */
  ask(method: string, params: unknown, signal: AbortSignal): Promise<unknown>
  /** Theme, locale and what else the page is told of its place. */
  readonly context?: McpUiHostContext
  /** Opens an address in another tab, if the person agrees: whether it did. Default: no address is opened. */
  readonly openLink?: (url: string) => boolean | Promise<boolean>
  /** The function that it was opened for. */
  readonly input?: Readonly<Record<string, unknown>>
  /** What that gave. */
  readonly result?: unknown
  /** Address that serves `proxyDocument`, where the policy of the host's own page forbids inline scripts: frames inherit it. */
  readonly proxy?: string
}

/** A page that is shown. */
export interface ShownPage {
  readonly frame: HTMLIFrameElement
  /** Resolves when the page has connected. */
  readonly connected: Promise<void>
  /** Tells the page what changed, such as `{ theme: 'dark' }`. */
  setContext(context: McpUiHostContext): void
  /** Lets the page finish, and takes it away. What it asked for last is aborted. */
  close(): Promise<void>
}

/** Pages are no higher than that. */
const MAX_HEIGHT = 10_000
const GOODBYE_MS = 500

/** Shows a page of an app in a frame that has no origin and reaches nothing, and does what it asks for. */
export function showDocument(options: ShowOptions): ShownPage {
  const { container, html = '', address, title, context = {}, openLink } = options
  const closing = new AbortController()
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts allow-forms')
  frame.setAttribute('referrerpolicy', 'no-referrer')
  frame.title = title
  frame.style.cssText = 'border: 0; display: block; height: 150px; width: 100%'

  let told: McpUiHostContext = { platform: 'web', displayMode: 'inline', ...context }
  const capabilities = { serverTools: {}, ...(openLink && { openLinks: {} }) }
  const bridge = new AppBridge(null, { name: HOST_NAME, version: '1' }, capabilities, {
    hostContext: told
  })
  bridge.oncalltool = async ({ name, arguments: input = {} }) => {
    // A name without a dot is a function of the app.
    const [method, params] = name.includes('.') ? [name, input] : ['functions.call', { name, input }]
    try {
      return resultOf(await options.ask(method, params, closing.signal))
    } catch (error) {
      return failureOf(error)
    }
  }
  if (openLink)
    bridge.onopenlink = async ({ url }) => {
      const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
      return isWeb && (await openLink(url)) ? {} : { isError: true }
    }
  bridge.onsizechange = ({ height }) => {
    if (height !== undefined) frame.style.height = `${Math.min(Math.max(0, height), MAX_HEIGHT)}px`
  }
  bridge.onsandboxready = () => void bridge.sendSandboxResourceReady({ html })
  const connected = new Promise<void>((resolve) => {
    bridge.oninitialized = () => {
      resolve()
      if (options.input) void bridge.sendToolInput({ arguments: { ...options.input } })
      if (options.result !== undefined) void bridge.sendToolResult(resultOf(options.result))
    }
  })

  const source = address ?? options.proxy
  if (source === undefined) frame.srcdoc = proxyDocument
  else frame.src = source
  container.append(frame)
  const { contentWindow } = frame
  if (!contentWindow) throw new Error('The container is in no document')
  void bridge.connect(createFrameTransport(contentWindow))

  return {
    frame,
    connected,
    setContext(changed) {
      told = { ...told, ...changed }
      bridge.setHostContext(told)
    },
    async close() {
      await bridge.teardownResource({}, { timeout: GOODBYE_MS }).catch(() => undefined)
      closing.abort()
      await bridge.close()
      frame.remove()
    }
  }
}
