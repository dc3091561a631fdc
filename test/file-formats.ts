import { buffer } from 'node:stream/consumers'
import { crc32, deflateSync } from 'node:zlib'
import { ZipFile } from 'yazl'

/** A PDF with the given lines, or operators that draw text, on each page, written object by object. */
export function pdf(
  pages: readonly (string | { readonly drawn: string })[],
  size: readonly [number, number] = [612, 792],
  trailer = ''
): Buffer {
  const objects: string[] = []
  const ids = pages.map((_, index) => `${4 + index * 2} 0 R`)
  objects.push('<< /Type /Catalog /Pages 2 0 R >>')
  objects.push(`<< /Type /Pages /Count ${pages.length} /Kids [${ids.join(' ')}] >>`)
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  for (const [index, text] of pages.entries()) {
    const shown =
      typeof text === 'string'
        ? text.split('\n').map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`)
        : [text.drawn]
    const drawn = `BT /F1 24 Tf 26 TL 40 700 Td ${shown.join(' ')} ET`
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${size.join(' ')}] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`
    )
    objects.push(`<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`)
  }
  let file = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** A ZIP archive. */
export async function zip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = new ZipFile()
  for (const [path, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), path)
  archive.end()
  return buffer(archive.outputStream)
}

const TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
const RELATIONS =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
const STYLES =
  '<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>'
const STYLE_RELATIONS =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>'

/** A DOCX whose body is the given XML, with further files in the archive. */
export const docx = (body: string, more: Readonly<Record<string, string | Buffer>> = {}, prolog = '') =>
  zip({
    '[Content_Types].xml': TYPES,
    '_rels/.rels': RELATIONS,
    'word/document.xml': `<?xml version="1.0"?>${prolog}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': STYLES,
    'word/_rels/document.xml.rels': STYLE_RELATIONS,
    'docProps/core.xml':
      '<cp:coreProperties xmlns:cp="c" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Q&amp;A</dc:title></cp:coreProperties>',
    ...more
  })

export const paragraph = (text: string, style?: string) =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`

/** Color types of PNG: grayscale, and RGB with transparency. */
const [GREY, RGBA] = [0, 6]
/** A PNG that declares a size in pixels; `pixels` are its bytes before compression. */
export function png(width: number, height: number, pixels: Buffer, colour = GREY, interlace = 0): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const whole = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(whole))
    return Buffer.concat([length, whole, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, colour, 0, 0, interlace], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0))
  ])
}

/** A transparent, interlaced PNG: a reader must hold the whole image in memory, four bytes per pixel. */
export function interlaced(width: number, height: number): Buffer {
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2]
  ] as const
  const sizes = passes.map(
    ([x, y, right, down]) => Math.ceil((height - y) / down) * (1 + 4 * Math.ceil((width - x) / right))
  )
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  return png(width, height, Buffer.alloc(bytes), RGBA, 1)
}
