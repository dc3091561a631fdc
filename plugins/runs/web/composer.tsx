import { ActionIcon, FileButton, Group, Menu, Textarea, Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, ErrorNotice, useAction } from 'agent-platform/console'
import { ArrowUp, ChevronDown, Paperclip, Square } from 'lucide-react'
import type { ClipboardEvent, DragEvent, KeyboardEvent, Ref } from 'react'
import { useState } from 'react'
import { AttachmentList } from './attachment-list.tsx'
import classes from './chat.module.css'
import type { Message } from './conversations.ts'
import { conversationOf } from './conversations.ts'
import { useAttachments } from './use-attachments.ts'
import { useHeadRun } from './use-head-run.ts'

/** Where one writes to the agent. */
export function Composer(props: {
  agentId: string
  sessionId: string | undefined
  onBegun: (sessionId: string) => void
  text: string
  onText: (text: string) => void
  field: Ref<HTMLTextAreaElement>
}) {
  const { agentId, sessionId, onBegun, text, onText, field } = props
  const queries = useQueryClient()
  const [isOver, setIsOver] = useState(false)
  const attachments = useAttachments()
  const head = useHeadRun(sessionId)
  const sending = useAction({
    async run(message: Message) {
      const title = titleOf(message.text)
      const session = sessionId ?? (await api.post('/v1/sessions', { body: { agentId, title } })).data.id
      conversationOf(session).send(message)
      return session
    },
    onDone(session) {
      onText('')
      attachments.clear()
      if (session === sessionId) return
      void queries.invalidateQueries({ queryKey: ['sessions', 'agent', agentId] })
      onBegun(session)
    },
    isQuiet: true
  })
  const stopping = useAction({ run: (runId: string) => api.runs.cancel(runId) })
  const canSend = text.trim() !== '' && !attachments.isBusy && !sending.isPending
  const send = (strategy?: Message['strategy']) => {
    if (canSend) sending.mutate({ agentId, text, attached: attachments.ready, strategy })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    attachments.add([...event.dataTransfer.files])
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    attachments.add(files)
  }
  return (
    <div className={classes.composer}>
      {sending.error ? <ErrorNotice error={sending.error} /> : null}
      <form
        className={classes.box}
        data-over={isOver || undefined}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
      >
        <AttachmentList attachments={attachments} />
        <Textarea
          ref={field}
          aria-label="Message"
          placeholder="Write a message"
          variant="unstyled"
          px={6}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          autosize
          minRows={1}
          maxRows={10}
          maxLength={1_000_000}
        />
        <Group justify="space-between" wrap="nowrap">
          <FileButton multiple onChange={attachments.add}>
            {(button) => (
              <Tooltip label="Attach files">
                <ActionIcon {...button} variant="subtle" color="gray" size="lg" aria-label="Attach files">
                  <Paperclip size={18} />
                </ActionIcon>
              </Tooltip>
            )}
          </FileButton>
          <Group gap={6} wrap="nowrap">
            {head && (
              <Tooltip label="Stop the answer">
                <ActionIcon
                  variant="default"
                  size="lg"
                  loading={stopping.isPending}
                  onClick={() => stopping.mutate(head)}
                  aria-label="Stop the answer"
                >
                  <Square size={15} />
                </ActionIcon>
              </Tooltip>
            )}
            {head && <Instead isDisabled={!canSend} onChoose={send} />}
            <ActionIcon
              type="submit"
              size="lg"
              variant="filled"
              disabled={!canSend}
              loading={sending.isPending}
              aria-label={head ? 'Send after this answer' : 'Send'}
            >
              <ArrowUp size={18} />
            </ActionIcon>
          </Group>
        </Group>
      </form>
    </div>
  )
}

/** What to do with the answer that is under way. */
const Instead = (props: { isDisabled: boolean; onChoose: (strategy: Message['strategy']) => void }) => (
  <Menu position="top-end" disabled={props.isDisabled}>
    <Menu.Target>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        disabled={props.isDisabled}
        aria-label="How to send"
      >
        <ChevronDown size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item onClick={() => props.onChoose('enqueue')}>Send after this answer</Menu.Item>
      <Menu.Item onClick={() => props.onChoose('interrupt')}>Stop this answer and send</Menu.Item>
    </Menu.Dropdown>
  </Menu>
)

/** The first line of what was said first. */
const titleOf = (text: string): string => {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
