import { Image } from '@mantine/core'

/** A provider's letters: beside its name, and so without words of its own. */
export const ProviderIcon = ({ icon, size = 28 }: { icon: string; size?: number }) => (
  <Image src={`data:image/svg+xml,${encodeURIComponent(icon)}`} alt="" w={size} h={size} flex="none" />
)
