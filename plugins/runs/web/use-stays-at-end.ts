import { useCallback, useRef } from 'react'

/** Near enough to the end of the page to be meant to follow what comes. */
const NEAR = 120

/** For what stands at the end of the page: it stays in sight while the page grows, unless one has scrolled away from it. */
export function useStaysAtEnd() {
  const stop = useRef<() => void>(undefined)
  return useCallback((end: HTMLElement | null) => {
    stop.current?.()
    if (!end?.parentElement) return
    const page = document.scrollingElement ?? document.documentElement
    let isFollowing = true
    const toEnd = () => {
      if (isFollowing) page.scrollTop = page.scrollHeight
    }
    const look = () => {
      isFollowing = page.scrollHeight - page.scrollTop - page.clientHeight < NEAR
    }
    const grows = new ResizeObserver(toEnd)
    grows.observe(end.parentElement)
    addEventListener('scroll', look, { passive: true })
    stop.current = () => {
      grows.disconnect()
      removeEventListener('scroll', look)
    }
  }, [])
}
