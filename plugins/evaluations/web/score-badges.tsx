import { Badge, Group, Tooltip } from '@mantine/core'
import type { Result } from './words.ts'
import { percent } from './words.ts'

/** What each scorer says, with its reason. */
export const ScoreBadges = ({ scores }: Pick<Result, 'scores'>) => (
  <Group gap={4}>
    {scores.map(({ scorer, score, passed, reason }) => {
      const color = passed === null ? 'gray' : passed ? 'teal' : 'red'
      const badge = (
        <Badge key={scorer} color={color} variant="light" tt="none" tabIndex={reason ? 0 : undefined}>
          {scorer} {percent(score)}
        </Badge>
      )
      if (!reason) return badge
      return (
        <Tooltip key={scorer} label={reason.slice(0, 300)} multiline maw={320}>
          {badge}
        </Tooltip>
      )
    })}
  </Group>
)
