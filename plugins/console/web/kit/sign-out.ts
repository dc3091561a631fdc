import { sessionAddress } from './session.tsx'
import { removeStored } from './stored.ts'
import { leaveThen, withoutAsking } from './unsaved.tsx'

/** Ends the session of the browser and removes what was entered and not saved, after a question where that would be lost. */
export const signOut = (): void =>
  leaveThen(async () => {
    await fetch(sessionAddress, { method: 'DELETE' })
    removeStored()
    withoutAsking(() => location.reload())
  })
