import { Spotlight } from '@mantine/spotlight'
import { House, Search } from 'lucide-react'
import { useLocation } from 'wouter'
import type { PackPage } from '../kit/contributions.tsx'

/** Every page and command by its name (⌘K). */
export default function Palette({ pages }: { pages: readonly PackPage[] }) {
  const [, navigate] = useLocation()
  const actions = pages.flatMap(({ title, navigation, commands = [] }) => {
    const Icon = navigation?.icon ?? Search
    const shared = (to: string) => ({
      leftSection: <Icon size={18} strokeWidth={1.8} aria-hidden />,
      onClick: () => navigate(to)
    })
    return [
      ...(navigation ? [{ id: navigation.to, label: title, ...shared(navigation.to) }] : []),
      ...commands.map(({ label, description, to }) => ({
        id: `${label} ${to}`,
        label,
        description,
        ...shared(to)
      }))
    ]
  })
  const home = {
    id: '/',
    label: 'Home',
    leftSection: <House size={18} aria-hidden />,
    onClick: () => navigate('/')
  }
  return (
    <Spotlight
      actions={[home, ...actions]}
      shortcut={['mod + K']}
      highlightQuery
      limit={12}
      nothingFound="There is nothing of that name"
      searchProps={{ placeholder: 'Where to, or what to do?', leftSection: <Search size={18} aria-hidden /> }}
    />
  )
}
