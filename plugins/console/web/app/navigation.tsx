import { NavLink, Stack, Text } from '@mantine/core'
import { House } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import type { PackPage } from '../kit/contributions.tsx'
import type { Section } from '../kit/define-page.ts'
import classes from './navigation.module.css'

const sections: readonly Section[] = ['Work', 'Build', 'Knowledge', 'Operate']

/** The pages that there are, by section. */
export function Navigation({ pages }: { pages: readonly PackPage[] }) {
  const [path] = useLocation()
  const isOpen = (to: string) => path === to || (to !== '/' && path.startsWith(`${to}/`))
  const shown = pages
    .flatMap(({ title, navigation }) => (navigation ? [{ title, ...navigation }] : []))
    .toSorted((a, b) => a.order - b.order)
  return (
    <Stack gap={0} pb="md">
      <Entry to="/" title="Home" icon={House} isOpen={path === '/'} />
      {sections.map((section) => {
        const entries = shown.filter((it) => it.section === section)
        if (entries.length === 0) return null
        return (
          <div key={section}>
            <Text component="h2" size="xs" fw={600} c="dimmed" px="sm" pt={10} pb={2}>
              {section}
            </Text>
            {entries.map(({ to, title, icon }) => (
              <Entry key={to} to={to} title={title} icon={icon} isOpen={isOpen(to)} />
            ))}
          </div>
        )
      })}
    </Stack>
  )
}

function Entry(props: { to: string; title: string; icon: typeof House; isOpen: boolean }) {
  const { to, title, icon: Icon, isOpen } = props
  return (
    <NavLink
      component={Link}
      href={to}
      label={title}
      leftSection={<Icon size={17} strokeWidth={1.8} aria-hidden />}
      active={isOpen}
      aria-current={isOpen ? 'page' : undefined}
      className={classes.entry}
    />
  )
}
