import { Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, baseUrl, Panel } from 'agent-platform/console'
import { useEffect, useRef, useState } from 'react'
import '@xterm/xterm/css/xterm.css'
import { computerQuery, params } from './queries.ts'

type State = 'opening' | 'open' | 'closed'
const reasons: Readonly<Record<string, string>> = {
  idle: 'Nobody typed for a long time.',
  computer_stopped: 'The computer went to sleep.',
  too_slow: 'It did not take what came in time.',
  terminals_open: 'Too many terminals of this computer are open.'
}

/** A shell of the computer. */
export default function Terminal({ agentId }: { agentId: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [turn, setTurn] = useState(0)
  const [state, setState] = useState<State>('opening')
  const [reason, setReason] = useState('')
  const queries = useQueryClient()
  useEffect(() => {
    if (!place.current || turn < 0) return
    const left = new AbortController()
    setState('opening')
    const close = (why: string) => {
      if (left.signal.aborted) return
      setReason(reasons[why] ?? why)
      setState('closed')
      void queries.invalidateQueries(computerQuery(agentId))
    }
    // It woke the computer, which the page says no later than this.
    const opened = async () => {
      await queries.invalidateQueries(computerQuery(agentId))
      if (!left.signal.aborted) setState((now) => (now === 'closed' ? now : 'open'))
    }
    show(agentId, place.current, left.signal, opened, close).catch((error) => close((error as Error).message))
    return () => left.abort()
  }, [agentId, turn, queries])
  return (
    <Panel
      title="Terminal"
      description="The platform keeps nothing of what is typed; the shell's history lies in the home. Tab goes to the shell; Ctrl+Shift+Escape leaves it."
      actions={
        state === 'closed' && (
          <Button size="sm" onClick={() => setTurn((turn) => turn + 1)}>
            Open another one
          </Button>
        )
      }
    >
      <Stack gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {state === 'opening'
            ? 'Waking the computer …'
            : state === 'open'
              ? 'Connected'
              : `Closed. ${reason}`}
        </Text>
        <div style={{ background: '#16181d', padding: 8, borderRadius: 6 }}>
          <div ref={place} style={{ height: 404 }} />
        </div>
      </Stack>
    </Panel>
  )
}

async function show(
  agentId: string,
  place: HTMLElement,
  left: AbortSignal,
  opened: () => void,
  closed: (reason: string) => void
): Promise<void> {
  const [{ Terminal }, { FitAddon }] = await Promise.all([import('@xterm/xterm'), import('@xterm/addon-fit')])
  if (left.aborted) return
  const terminal = new Terminal({
    fontSize: 13,
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
    theme: { background: '#16181d', foreground: '#e8eaed' },
    screenReaderMode: true,
    cursorBlink: false
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  withNonce(() => terminal.open(place))
  fit.fit()
  left.addEventListener('abort', () => terminal.dispose())
  terminal.attachCustomKeyEventHandler((event) => {
    if (!(event.key === 'Escape' && event.ctrlKey && event.shiftKey)) return true
    terminal.blur()
    return false
  })
  const { data } = await api.post('/v1/agents/{agentId}/computer/terminal/tickets', {
    params: params(agentId)
  })
  if (left.aborted) return
  const size = `columns=${terminal.cols}&rows=${terminal.rows}`
  const address = `${baseUrl.replace(/^http/, 'ws')}/v1/agents/${agentId}/computer/terminal/${data.ticket}?${size}`
  const socket = new WebSocket(address)
  socket.binaryType = 'arraybuffer'
  left.addEventListener('abort', () => socket.close())
  const encoder = new TextEncoder()
  const say = (text: string) => {
    if (socket.readyState !== WebSocket.OPEN) return
    const bytes = encoder.encode(text)
    for (let at = 0; at < bytes.length; at += MESSAGE) socket.send(bytes.subarray(at, at + MESSAGE))
  }
  terminal.onData(say)
  let timer: number | undefined
  terminal.onResize(({ cols: columns, rows }) => {
    clearTimeout(timer)
    timer = window.setTimeout(() => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: 'resize', columns, rows }))
    }, SETTLED_MS)
  })
  const observer = new ResizeObserver(() => fit.fit())
  observer.observe(place)
  left.addEventListener('abort', () => observer.disconnect())
  socket.onopen = () => {
    opened()
    terminal.focus()
  }
  socket.onmessage = ({ data }) => {
    if (typeof data !== 'string') terminal.write(new Uint8Array(data as ArrayBuffer))
  }
  socket.onclose = ({ reason, code }) => {
    terminal.options.disableStdin = true
    closed(reason === 'ended' ? 'The shell has ended.' : reason || `It could not be opened (${code}).`)
  }
}
const MESSAGE = 32_768
const SETTLED_MS = 150

/** The styles that its library makes while it opens are let in as those of the page are, which it knows nothing of. */
function withNonce(open: () => void): void {
  const nonce = document.querySelector<HTMLElement>('style[nonce]')?.nonce ?? ''
  const create = document.createElement.bind(document) as (name: string) => HTMLElement
  const createElement = (name: string) => {
    const element = create(name)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
  Object.assign(document, { createElement })
  try {
    open()
  } finally {
    Reflect.deleteProperty(document, 'createElement')
  }
}
