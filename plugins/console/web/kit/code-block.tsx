import { ActionIcon, Box, CopyButton, ScrollArea, Tooltip } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import classes from './code-block.module.css'

/** More is not laid out: a browser takes seconds for a line of a megabyte. */
const SHOWN = 20_000

/** Text as it is, or a value as JSON; long ones are cut in what is shown, not in what is copied. */
export function CodeBlock({
  value,
  label,
  maxHeight = 320
}: {
  value: unknown
  label: string
  maxHeight?: number
}) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  const shown =
    text.length > SHOWN ? `${text.slice(0, SHOWN)}\n… ${text.length - SHOWN} characters more` : text
  return (
    <Box className={classes.block}>
      <ScrollArea.Autosize
        mah={maxHeight}
        type="auto"
        viewportProps={{ tabIndex: 0, 'aria-label': label, role: 'region' }}
      >
        <pre className={classes.text}>{shown}</pre>
      </ScrollArea.Autosize>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon
              className={classes.copy}
              variant="default"
              size="sm"
              onClick={copy}
              aria-label={`Copy ${label}`}
            >
              {copied ? <Check size={14} /> : <Copy size={14} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Box>
  )
}
