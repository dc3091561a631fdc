import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps'
import {
  App,
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables
} from '@modelcontextprotocol/ext-apps'
import type { Call, ContextOf } from '../context/context.ts'
import { tree } from '../context/tree.ts'
import type { DefinedApp, FunctionsOf } from '../definition/define-app.ts'
import type { ManifestDraft } from '../definition/manifest-draft.ts'
import { answerOf, HOST_NAME } from './answers.ts'
import { createFrameTransport } from './frame-transport.ts'

export { AppError } from '../errors.ts'

type DraftOf<A> =
  A extends DefinedApp<infer M> ? (M extends ManifestDraft ? M : ManifestDraft) : ManifestDraft
type Functions<A> = FunctionsOf<DraftOf<A>>

export interface PageOptions {
  /** What the page was opened for: the input of the function whose page it is. */
  readonly onInput?: (input: unknown) => void
  /** What that function gave. */
  readonly onResult?: (data: unknown) => void
  /** When the theme, the locale or the size of the page's place changes. */
  readonly onContext?: (context: McpUiHostContext) => void
}

/** A page that is connected with its host. What is refused is thrown as an `AppError` with its `code`. */
export interface Page<A = unknown> {
  /** Calls a function of the app. */
  call<N extends keyof Functions<A> & string>(
    name: N,
    input: Parameters<Functions<A>[N]>[0]
  ): Promise<Awaited<ReturnType<Functions<A>[N]>>>
  readonly platform: ContextOf<DraftOf<A>>['platform']
  readonly storage: ContextOf<DraftOf<A>>['storage']
  /** Asks for any method by its name. */
  readonly ask: Call
  /** Theme, locale, time zone and size, as the host says. */
  context(): McpUiHostContext
  /** Asks the host to open an address; whether it did. */
  openLink(url: string): Promise<boolean>
}

/** A function may take five minutes at most; the host answers after that in any case. */
const TIMEOUT_MS = 330_000

/**
 * Connects the page with the console, or with any other host of MCP Apps. It takes the host's theme, and tells the host how large it
 * is. Rejects where nobody shows it.
 */
export async function connectPage<A = unknown>({
  onInput,
  onResult,
  onContext
}: PageOptions = {}): Promise<Page<A>> {
  const app = new App({ name: 'agent-platform-app', version: '1' }, {})
  app.ontoolinput = ({ arguments: input }) => onInput?.(input)
  app.ontoolresult = (result) => onResult?.(answerOf(result))
  app.onhostcontextchanged = (changed) => {
    dress(changed)
    onContext?.(app.getHostContext() ?? {})
  }
  await app.connect(createFrameTransport(window.parent))
  dress(app.getHostContext() ?? {})

  // Where another client of the protocol shows it, functions are tools as the platform serves them there: `desk__forecast`.
  const [prefix] = app.getHostContext()?.toolInfo?.tool.name.split('__') ?? []
  const isForeign = app.getHostVersion()?.name !== HOST_NAME && prefix !== undefined
  /** A function under its name, and everything else under a method, which has a dot: so they are called as tools. */
  const tool = async (asked: string, input: unknown = {}) => {
    const name = isForeign && !asked.includes('.') ? `${prefix}__${asked}` : asked
    const order = { name, arguments: input as Record<string, unknown> }
    return answerOf(await app.callServerTool(order, { timeout: TIMEOUT_MS }))
  }
  return {
    call: tool as Page<A>['call'],
    platform: tree(tool) as Page<A>['platform'],
    storage: tree(tool, 'storage') as Page<A>['storage'],
    ask: tool,
    context: () => app.getHostContext() ?? {},
    openLink: async (url) => !(await app.openLink({ url })).isError
  }
}

function dress({ theme, styles }: McpUiHostContext): void {
  if (theme) applyDocumentTheme(theme)
  if (styles?.variables) applyHostStyleVariables(styles.variables)
  if (styles?.css?.fonts) applyHostFonts(styles.css.fonts)
}
