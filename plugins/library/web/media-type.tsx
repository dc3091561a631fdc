import {
  File,
  FileArchive,
  FileCode,
  FileImage,
  FileMusic,
  FileSpreadsheet,
  FileText,
  FileVideoCamera
} from 'lucide-react'

const kinds = [
  [/^image\//, FileImage, 'Image'],
  [/^audio\//, FileMusic, 'Sound'],
  [/^video\//, FileVideoCamera, 'Video'],
  [/csv|spreadsheet|excel/, FileSpreadsheet, 'Table'],
  [/markdown/, FileText, 'Markdown'],
  [/^application\/pdf/, FileText, 'PDF'],
  [/wordprocessing|msword/, FileText, 'Document'],
  [/html|json|xml|javascript|yaml/, FileCode, 'Code'],
  [/zip|tar|gzip|compressed/, FileArchive, 'Archive'],
  [/^text\//, FileText, 'Text']
] as const

const of = (mediaType: string) => kinds.find(([pattern]) => pattern.test(mediaType))

/** What a media type is called. */
export const kindOf = (mediaType: string): string => of(mediaType)?.[2] ?? 'File'

export function MediaIcon({ mediaType, size = 18 }: { mediaType: string; size?: number }) {
  const Icon = of(mediaType)?.[1] ?? File
  return <Icon size={size} strokeWidth={1.8} aria-hidden style={{ flex: 'none' }} />
}
