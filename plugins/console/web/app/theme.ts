import type { CSSVariablesResolver } from '@mantine/core'
import { createTheme } from '@mantine/core'
import classes from './theme.module.css'

const closeButtonProps = { 'aria-label': 'Close' }
/** A dialog's header is no banner of the page. */
const attributes = { header: { role: 'none' } }

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 8,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "JetBrains Mono", SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '650', sizes: { h2: { fontSize: '1.5rem', lineHeight: '1.3' } } },
  components: {
    Modal: { defaultProps: { closeButtonProps, attributes }, classNames: { title: classes.dialogTitle } },
    Drawer: { defaultProps: { closeButtonProps, attributes }, classNames: { title: classes.dialogTitle } },
    Notification: { defaultProps: { closeButtonProps } },
    Tabs: { classNames: { list: classes.tabs, tab: classes.tab } },
    // A wide table is scrolled with the keyboard, too.
    TableScrollContainer: { defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } } }
  }
})

/** Text of states, notes and buttons on their own pale colour, for which the darkest shades are too pale: how much is left of them. */
const shares = { green: 62, teal: 62, cyan: 62, lime: 62, yellow: 62, orange: 62, red: 84 }
const onPale = Object.fromEntries(
  Object.entries(shares).map(([name, share]) => [
    `--mantine-color-${name}-light-color`,
    `color-mix(in srgb, var(--mantine-color-${name}-9) ${share}%, black)`
  ])
)

/** Text that stands back, and yet is as clear as WCAG AA asks for. */
export const variables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[6],
    '--mantine-color-error': colors.red[9],
    ...onPale
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-error': colors.red[4],
    // A button that is disabled is still one on a card.
    '--mantine-color-disabled': colors.dark[5],
    '--mantine-color-disabled-color': colors.dark[2]
  }
})
