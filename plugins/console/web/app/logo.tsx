import { Group, Text } from '@mantine/core'

export const Logo = () => (
  <Group gap={10} wrap="nowrap">
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--mantine-primary-color-filled)" />
      <path
        d="M9 22 16 9l7 13M12 17h8"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
    <Text fw={650}>Agent Platform</Text>
  </Group>
)
