/**
 * What can be wrong with a bundle. `malformed`: it is no bundle. `resigned`: another key signed it than the one that is trusted.
 * `forged`: the statement, or an item, is not what was signed. `cut`: items are missing. `reordered`: they stand in another order.
 * `unanchored`: what it says about a chain is not so.
 */
export interface Fault {
  readonly code: 'malformed' | 'resigned' | 'forged' | 'cut' | 'reordered' | 'unanchored'
  readonly message: string
}
