/** How often a fault is repeated: a few times, or many times in the tier `long`. */
export const rounds = (short: number, long: number): number =>
  process.env.TEST_FAULTS === 'long' ? long : short
