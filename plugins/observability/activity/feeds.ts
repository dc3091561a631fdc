/** Names the feed in each event of its live stream. */
export const idField = 'feed'

/** What all of a project did, for services. */
export const wholeFeed = 'activity'
/** What is one owner's. */
export const feedOf = (owner: string): string => `activity/${owner}`
