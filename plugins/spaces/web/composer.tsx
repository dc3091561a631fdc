import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { api, ErrorNotice, useAction, useStoredText } from 'agent-platform/console'
import { useRef } from 'react'
import type { Message } from './use-live-space.ts'

/** How often others are told that the caller types. */
const TELL_MS = 3_000

export function Composer(props: {
  spaceId: string
  answered: Message | undefined
  types: readonly string[]
  isDisabled: boolean
  onSent: () => void
}) {
  const { spaceId, answered, types, isDisabled, onSent } = props
  const [content, setContent] = useStoredText(`message ${spaceId}`)
  const told = useRef(0)
  const params = { path: { spaceId } }
  const sending = useAction({
    run: (content: string) =>
      api.post('/v1/spaces/{spaceId}/messages', {
        params,
        body: { content, ...(answered && { replyToId: answered.id }) }
      }),
    onDone() {
      setContent('')
      onSent()
    },
    isQuiet: true
  })
  function type(text: string) {
    setContent(text)
    if (Date.now() - told.current < TELL_MS) return
    told.current = Date.now()
    // Others may miss it.
    api.post('/v1/spaces/{spaceId}/signals', { params, body: { type: 'typing' } }).catch(() => undefined)
  }
  const send = () => content.trim() !== '' && sending.mutate(content)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Stack gap="xs">
        {answered && (
          <Group gap="xs">
            <Text size="xs" c="dimmed" truncate maw="80%">
              Answers {answered.authorName}: {(answered.content ?? '').slice(0, 100)}
            </Text>
            <Button size="compact-xs" variant="subtle" onClick={onSent}>
              Not an answer
            </Button>
          </Group>
        )}
        <Textarea
          label="Message"
          description="@name mentions a member. Enter sends, Shift and Enter begin a line."
          autosize
          minRows={2}
          maxRows={10}
          maxLength={20_000}
          disabled={isDisabled}
          value={content}
          onChange={({ currentTarget: { value } }) => type(value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send()
          }}
        />
        {sending.error ? <ErrorNotice error={sending.error} /> : null}
        <Group justify="space-between">
          <Text size="xs" c="dimmed" aria-live="polite" mih={18}>
            {types.length > 0 && `${types.slice(0, 3).join(', ')} ${types.length > 1 ? 'are' : 'is'} typing…`}
          </Text>
          <Button type="submit" loading={sending.isPending} disabled={isDisabled}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
