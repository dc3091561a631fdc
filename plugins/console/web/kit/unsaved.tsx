import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { createContext, useContext, useEffect, useRef } from 'react'

/** A form or editor whose input would be lost if its page were left. */
interface Unsaved {
  isUnsaved(): boolean
  /** The person chose to lose the input. */
  forget(): void
  /** The dialog that the form is in. */
  readonly dialog: object | undefined
}

const all = new Set<Unsaved>()
let isAllowed = false
let question: Promise<boolean> | undefined

/** The dialog around a form, so that closing the dialog asks about this form only. */
export const DialogContext = createContext<object | undefined>(undefined)

/**
 * Asks before the input of a component is lost: on navigation, on closing its dialog, and on closing or reloading the page. Both
 * functions are called when somebody leaves, so they may read the DOM.
 */
export function useUnsaved(isUnsaved: () => boolean, forget: () => void = () => undefined): void {
  const dialog = useContext(DialogContext)
  const latest = useRef({ isUnsaved, forget })
  useEffect(() => {
    latest.current = { isUnsaved, forget }
  })
  useEffect(() => {
    const entry: Unsaved = {
      isUnsaved: () => latest.current.isUnsaved(),
      forget: () => latest.current.forget(),
      dialog
    }
    all.add(entry)
    return () => void all.delete(entry)
  }, [dialog])
}

/** Calls `leave`, after a question where unsaved input would be lost. `isLost` selects which forms go away; default: all. */
export function leaveThen(
  leave: () => void,
  isLost: (dialog: object | undefined) => boolean = () => true
): void {
  const lost = isAllowed ? [] : [...all].filter((it) => isLost(it.dialog) && it.isUnsaved())
  if (lost.length === 0) leave()
  else
    void ask().then((mayLeave) => {
      if (!mayLeave) return
      for (const it of lost) it.forget()
      withoutAsking(leave)
    })
}

/** Lets `work` close dialogs and navigate without a question: what was typed has been saved, or is not wanted. */
export function withoutAsking<T>(work: () => T): T {
  const before = isAllowed
  isAllowed = true
  try {
    return work()
  } finally {
    isAllowed = before
  }
}

/** Asks once, also where several things would lose the input at the same time. */
function ask(): Promise<boolean> {
  question ??= new Promise<boolean>((resolve) => {
    modals.openConfirmModal({
      title: 'Leave without saving?',
      children: <Text size="sm">Your changes are not saved. If you leave, they are lost.</Text>,
      labels: { confirm: 'Leave without saving', cancel: 'Stay' },
      confirmProps: { color: 'red' },
      onConfirm: () => resolve(true),
      onClose: () => resolve(false)
    })
  }).finally(() => {
    question = undefined
  })
  return question
}

/** Which forms go away with a change of the address: those in dialogs, which the query opens and closes, and the page's if it changes. */
const isLostAt = (path: string) => (dialog: object | undefined) =>
  path !== shown.pathname || dialog !== undefined

let shown = new URL(location.href)
/** Calls `navigate` with the absolute path `to`, after a question where unsaved input would be lost. */
export const navigateThen = (to: string, navigate: () => void): void =>
  leaveThen(navigate, isLostAt(new URL(to, location.href).pathname))

/** Guards the buttons Back, Forward, Reload and Close of the browser. Called once, before the router listens. */
export function guardBrowser(): void {
  window.addEventListener('beforeunload', (event) => {
    if (!isAllowed && [...all].some((it) => it.isUnsaved())) event.preventDefault()
  })
  for (const type of ['pushState', 'replaceState'])
    window.addEventListener(type, () => {
      shown = new URL(location.href)
    })
  let isReturning = false
  window.addEventListener('popstate', (event) => {
    const isLost = isLostAt(location.pathname)
    if (isReturning || ![...all].some((it) => isLost(it.dialog) && it.isUnsaved())) {
      isReturning = false
      shown = new URL(location.href)
      return
    }
    // The browser has moved already: the page that is shown becomes the newest entry, and going back leads to where it wanted.
    event.stopImmediatePropagation()
    history.pushState(history.state, '', shown)
    leaveThen(() => {
      isReturning = true
      history.back()
    }, isLost)
  })
}
