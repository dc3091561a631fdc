import { Collapse, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useId } from 'react'
import classes from './tool-call.module.css'

/** Something that few read, behind its name. */
export function Folded({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, { toggle }] = useDisclosure()
  const id = useId()
  return (
    <div>
      <UnstyledButton className={classes.fold} onClick={toggle} aria-expanded={isOpen} aria-controls={id}>
        <ChevronRight size={14} className={classes.chevron} data-open={isOpen || undefined} aria-hidden />
        <Text span size="sm" c="dimmed">
          {label}
        </Text>
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && <div className={classes.folded}>{children}</div>}
      </Collapse>
    </div>
  )
}
