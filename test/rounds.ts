/** How often a fault is tried: briefly with every change, for long with `npm run test:faults`. */
export const rounds = (short: number, long: number): number =>
  process.env.TEST_FAULTS === 'long' ? long : short
