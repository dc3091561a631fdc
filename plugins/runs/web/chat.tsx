import { Button, Drawer, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { MessagesSquare, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import classes from './chat.module.css'
import { Conversation } from './conversation.tsx'
import { SessionList } from './session-list.tsx'

/** A conversation with an agent, beside those that there were; which one is open stands in the address. */
export default function Chat({ agentId }: { agentId: string }) {
  const [search, setSearch] = useSearchParams()
  const [isOpen, { open, close }] = useDisclosure()
  const [fresh, setFresh] = useState(0)
  const sessionId = search.get('session') ?? undefined
  const choose = (session: string | undefined) => {
    close()
    setSearch(session ? { session } : {})
    if (!session) setFresh((it) => it + 1)
  }
  const begin = (
    <Button
      variant="default"
      size="sm"
      leftSection={<Plus size={16} aria-hidden />}
      onClick={() => choose(undefined)}
    >
      New conversation
    </Button>
  )
  const list = <SessionList agentId={agentId} open={sessionId} onChoose={choose} />
  return (
    <div className={classes.chat}>
      <Group hiddenFrom="md" mb="md" gap="xs">
        <Button
          variant="default"
          size="sm"
          leftSection={<MessagesSquare size={16} aria-hidden />}
          onClick={open}
        >
          Conversations
        </Button>
        {begin}
      </Group>
      <Drawer opened={isOpen} onClose={close} title="Conversations" hiddenFrom="md">
        {list}
      </Drawer>
      <aside className={classes.side} aria-label="Conversations">
        {begin}
        <div className={classes.sessions}>{list}</div>
      </aside>
      <Conversation
        key={sessionId ?? `new ${fresh}`}
        agentId={agentId}
        sessionId={sessionId}
        onBegun={(session) => setSearch({ session }, { replace: true })}
        onOpen={choose}
      />
    </div>
  )
}
