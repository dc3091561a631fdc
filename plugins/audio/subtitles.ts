export interface Spoken {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** `00:01:02,345`; the comma is SubRip's, the full stop WebVTT's. */
function clock(seconds: number, mark: ',' | '.'): string {
  const ms = Math.round(seconds * 1_000)
  const two = (number: number) => String(number).padStart(2, '0')
  const [h, m, s] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1_000) % 60]
  return `${two(h)}:${two(m)}:${two(s)}${mark}${String(ms % 1_000).padStart(3, '0')}`
}

/** An empty line, or an arrow, would end a cue. */
const line = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('-->', '→').trim()

export const srt = (spoken: readonly Spoken[]): string =>
  spoken
    .map(
      ({ text, start, end }, index) =>
        `${index + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${line(text)}\n`
    )
    .join('\n')

/** W3C WebVTT. */
export const vtt = (spoken: readonly Spoken[]): string =>
  `WEBVTT\n\n${spoken
    .map(
      ({ text, start, end }) =>
        `${clock(start, '.')} --> ${clock(end, '.')}\n${line(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;')}\n`
    )
    .join('\n')}`
