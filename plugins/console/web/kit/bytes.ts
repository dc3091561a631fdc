const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** A size as people say it: `12.3 MB`. */
export function bytesOf(size: number): string {
  const power = Math.min(units.length - 1, size < 1_000 ? 0 : Math.floor(Math.log10(size) / 3))
  const value = size / 1_000 ** power
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })} ${units[power]}`
}
