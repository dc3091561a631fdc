import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { createLiveRun } from './live-run.ts'

/** A run from its first event on, as long as it is looked at. */
export function useFollowedRun(runId: string) {
  const live = useMemo(() => createLiveRun({ runId }, { keepsEvents: true }), [runId])
  useEffect(() => {
    live.open()
    return () => live.close()
  }, [live])
  return useSyncExternalStore(live.subscribe, live.state)
}
