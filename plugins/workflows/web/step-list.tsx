import { Box, NavLink, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Step } from './definition.ts'
import { placedSteps } from './definition.ts'
import { stepTypeOf } from './step-types.ts'

/** The steps as a list, those inside of others below them. */
export function StepList(props: {
  steps: readonly Step[]
  selected: string | null
  onSelect: (id: string) => void
  faulty?: string | undefined
  badge?: (step: Step) => ReactNode
}) {
  const { steps, selected, onSelect, faulty, badge } = props
  return (
    <Box component="nav" aria-label="Steps">
      {placedSteps(steps).map(({ step, depth }) => {
        const { icon: Icon, label } = stepTypeOf(step.type)
        const after = step.dependsOn?.length ? `${label}, after ${step.dependsOn.join(', ')}` : label
        return (
          <NavLink
            key={step.id}
            component="button"
            type="button"
            active={selected === step.id}
            aria-current={selected === step.id ? 'true' : undefined}
            onClick={() => onSelect(step.id)}
            label={step.name ?? step.id}
            description={
              faulty === step.id ? (
                <Text span size="xs" c="var(--mantine-color-text)" fw={700}>
                  Has to be mended
                </Text>
              ) : (
                <Text span size="xs" c="var(--mantine-color-text)">
                  {after}
                </Text>
              )
            }
            leftSection={
              faulty === step.id ? (
                <TriangleAlert size={16} color="var(--mantine-color-red-6)" aria-hidden />
              ) : (
                <Icon size={16} aria-hidden />
              )
            }
            rightSection={badge?.(step)}
            pl={12 + depth * 20}
            style={{ borderRadius: 'var(--mantine-radius-md)', overflowWrap: 'anywhere' }}
          />
        )
      })}
    </Box>
  )
}
