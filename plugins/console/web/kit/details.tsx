import { Box, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** What something is, in terms and values. Those that are undefined are left out. */
export function Details({ of, cols = 3 }: { of: Readonly<Record<string, ReactNode>>; cols?: number }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: cols }} spacing="md" verticalSpacing="sm" m={0}>
      {Object.entries(of)
        .filter(([, value]) => value !== undefined)
        .map(([term, value]) => (
          <Box key={term} miw={0}>
            <Text component="dt" size="xs" c="dimmed">
              {term}
            </Text>
            <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </Box>
        ))}
    </SimpleGrid>
  )
}
