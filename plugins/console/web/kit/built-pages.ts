declare const BUILT_PAGES: Readonly<Record<string, string>>

/** Digests of the folders of pages of which this console was built, by pack. */
export const builtPages = BUILT_PAGES
