/** What a process is used for, and by whom. */
export const createProcessState = (pid: number) => ({
  pid,
  group: undefined as string | undefined,
  /** Runs but this one, of which others may be harmed. */
  apart: undefined as string | undefined,
  claimedAt: performance.now(),
  /** Gets no more calls, so that it is free for another group, which asked for it at that time. */
  isLeaving: false,
  askedBy: undefined as string | undefined,
  askedAt: 0,
  /** It ends with its last call. */
  isSpent: false,
  /** Gets of the processors what others leave, until it ends. */
  isBackground: false,
  usedAt: performance.now(),
  isOffline: false
})
