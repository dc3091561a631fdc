import { Stack } from '@mantine/core'
import { PageFrame } from 'agent-platform/console'
import { Defaults } from './defaults.tsx'
import { Fallbacks } from './fallbacks.tsx'
import { ModelList } from './model-list.tsx'
import { Providers } from './providers.tsx'
import { Servers } from './servers.tsx'

/** Which models there are, whose keys they are asked with, and which one answers by default. */
export default function ModelsPage() {
  return (
    <PageFrame
      title="Models"
      description="Providers that answer for agents, with the operator's access or with the project's own."
    >
      <Stack gap="xl">
        <Defaults />
        <Fallbacks />
        <Providers />
        <Servers />
        <ModelList />
      </Stack>
    </PageFrame>
  )
}
