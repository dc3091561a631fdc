// What a pack's page (`plugins/<pack>/web/page.tsx`) is made of, beside Mantine, TanStack Query and React themselves.

export { ActionButton, ConfirmButton } from './kit/actions.tsx'
export { useAddress } from './kit/address.ts'
export { AgentLink, AgentSelect, newestAgentsQuery, useAgentNames } from './kit/agents.tsx'
export { api, baseUrl } from './kit/api.ts'
export { builtPages } from './kit/built-pages.ts'
export { bytesOf } from './kit/bytes.ts'
export { CodeBlock } from './kit/code-block.tsx'
export type { Guard } from './kit/confirmation.tsx'
export { useConfirmation } from './kit/confirmation.tsx'
export type { ConnectionChoice } from './kit/connections.tsx'
export { ConnectionFields } from './kit/connections.tsx'
export { Contributed, useContributions } from './kit/contributions.tsx'
export { DataTable, ListTable } from './kit/data-table.tsx'
export type {
  AgentTab,
  Command,
  HomeCard,
  KnownOfRun,
  PageDefinition,
  RunPanel,
  SessionTab,
  SignedIn,
  Waiting
} from './kit/define-page.ts'
export { definePage, findable } from './kit/define-page.ts'
export { Details } from './kit/details.tsx'
export { CancelButton, Dialog } from './kit/dialog.tsx'
export { EmptyState } from './kit/empty-state.tsx'
export { ErrorNotice } from './kit/error-notice.tsx'
export { DraftState, Form } from './kit/form.tsx'
export { Grants } from './kit/grants.tsx'
export { GraphDrawing } from './kit/graph-drawing.tsx'
export type { ListSearch } from './kit/list-view.tsx'
export { ListView, useList, useListSearch } from './kit/list-view.tsx'
export { Loaded } from './kit/loaded.tsx'
export { Markdown } from './kit/markdown.tsx'
export { newKey } from './kit/new-key.ts'
export { PageFrame } from './kit/page-frame.tsx'
export { Panel } from './kit/panel.tsx'
export { ComputerProviderFields } from './kit/provider-fields.tsx'
export type { FormSchema } from './kit/schema-form.tsx'
export { SchemaForm } from './kit/schema-form.tsx'
export { SearchField } from './kit/search-field.tsx'
export { SearchSelect } from './kit/search-select.tsx'
export { signInAddress, useSession } from './kit/session.tsx'
export { ShownOnce } from './kit/shown-once.tsx'
export { StatusBadge } from './kit/status-badge.tsx'
export { useStoredText } from './kit/stored.ts'
export { TimeAgo } from './kit/time-ago.tsx'
export { parseHtml } from './kit/trusted-html.ts'
export { useUnsaved } from './kit/unsaved.tsx'
export { uploadingApi } from './kit/upload.ts'
export { useAction } from './kit/use-action.ts'
export { useDraft } from './kit/use-draft.ts'
export { usedText } from './kit/used.ts'
export { WaitingRows } from './kit/waiting.tsx'
