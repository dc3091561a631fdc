import {
  ActionIcon,
  Group,
  Kbd,
  Menu,
  Text,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme
} from '@mantine/core'
import { spotlight } from '@mantine/spotlight'
import { ChevronsUpDown, LogOut, Moon, Search, Sun } from 'lucide-react'
import { Suspense, useContext } from 'react'
import { Link } from 'wouter'
import { componentOf, PagesContext } from '../kit/contributions.tsx'
import type { Load, SignedIn } from '../kit/define-page.ts'
import { useSession } from '../kit/session.tsx'
import { signOut } from '../kit/sign-out.ts'
import classes from './tools.module.css'

export function PaletteButton({ isCompact }: { isCompact?: boolean }) {
  if (isCompact)
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        onClick={spotlight.open}
        aria-label="Search and commands"
      >
        <Search size={18} />
      </ActionIcon>
    )
  return (
    <UnstyledButton className={classes.palette} onClick={spotlight.open}>
      <Group gap={8} wrap="nowrap">
        <Search size={15} aria-hidden />
        <Text size="sm" flex={1}>
          Search
        </Text>
        <Kbd size="xs">⌘K</Kbd>
      </Group>
    </UnstyledButton>
  )
}

/** Who is signed in, the colours, and the way out. */
export function Account() {
  const { principal, version } = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme() === 'dark'
  const { account } = useContext(PagesContext).find((page) => page.account) ?? {}
  if (!principal) return null
  return (
    <Group gap={4} wrap="nowrap">
      <Menu position="top-start" width={224}>
        <Menu.Target>
          <UnstyledButton className={classes.account}>
            <Group gap={8} wrap="nowrap">
              <div className={classes.who}>
                {account ? (
                  <Suspense fallback={named(principal.id, principal.project)}>
                    <Names load={account.load} principalId={principal.id} project={principal.project} />
                  </Suspense>
                ) : (
                  named(principal.id, principal.project)
                )}
              </div>
              <ChevronsUpDown size={15} aria-hidden />
            </Group>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Agent Platform {version}</Menu.Label>
          {account?.entries.map(({ label, to, icon: Icon }) => (
            <Menu.Item key={to} component={Link} href={to} leftSection={<Icon size={15} aria-hidden />}>
              {label}
            </Menu.Item>
          ))}
          <Menu.Item leftSection={<LogOut size={15} aria-hidden />} onClick={signOut}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Tooltip label={isDark ? 'Light colours' : 'Dark colours'}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
          aria-label={isDark ? 'Light colours' : 'Dark colours'}
        >
          {isDark ? <Sun size={17} /> : <Moon size={17} />}
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}

const named = (name: string, project: string) => (
  <>
    <Text size="sm" fw={550} truncate>
      {name}
    </Text>
    <Text size="xs" c="dimmed" truncate>
      {project}
    </Text>
  </>
)

/** The ids, until their names are known. */
function Names({ load, ...ids }: { load: Load<SignedIn>; principalId: string; project: string }) {
  const Known = componentOf(load)
  return <Known {...ids}>{named}</Known>
}
