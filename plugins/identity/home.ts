/** People are of no project: what is theirs alone lies in the one that is there from the start. */
export const HOME = 'default'
