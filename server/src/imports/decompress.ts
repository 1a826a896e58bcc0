import { Readable, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { OperatorError } from '../kit/api-error.ts'

/** Forms that a file may have, by its first bytes and not by its name. */
interface FileForm {
  readonly name: string
  readonly magic: Buffer
  /** What follows the magic, as Latin-1 text, where other forms have the same. */
  readonly rest?: RegExp
  /** Undefined: it cannot be read; `advice` says what to do instead. */
  readonly decompressor: (() => Transform) | undefined
  readonly advice: string
}

const SAVE_AS_CSV = 'In the spreadsheet, save the sheet as "CSV UTF-8", and import that.'

const FORMS: readonly FileForm[] = [
  { name: 'gzip', magic: Buffer.from([0x1f, 0x8b]), decompressor: () => zlib.createGunzip(), advice: '' },
  {
    name: 'Zstandard',
    magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
    decompressor: 'createZstdDecompress' in zlib ? () => zlib.createZstdDecompress() : undefined,
    advice: 'The file is compressed with Zstandard, which this version of Node.js cannot read. Use Node.js 24, or decompress it first.',
  },
  {
    name: 'Parquet',
    magic: Buffer.from('PAR1'),
    decompressor: undefined,
    advice: 'The file is Parquet, which cannot be imported. Export it as CSV.',
  },
  {
    name: 'Excel',
    magic: Buffer.from('PK\u0003\u0004'),
    // The name of the archive's first file: of a workbook, a document of LibreOffice, or what programs write first.
    rest: /^.{26}(\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/|mimetypeapplication\/vnd\.oasis\.opendocument\.spreadsheet)/s,
    decompressor: undefined,
    advice: `The file is a workbook, not CSV. ${SAVE_AS_CSV}`,
  },
  {
    name: 'Excel 97',
    magic: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    decompressor: undefined,
    advice: `The file is a workbook, not CSV. ${SAVE_AS_CSV}`,
  },
  ...[
    [0xff, 0xfe],
    [0xfe, 0xff],
  ].map((magic) => ({
    name: 'UTF-16',
    magic: Buffer.from(magic),
    decompressor: undefined,
    advice: `The file is text in UTF-16, as Excel saves "Unicode Text". ${SAVE_AS_CSV}`,
  })),
  {
    name: 'ZIP',
    magic: Buffer.from('PK\u0003\u0004'),
    decompressor: undefined,
    advice: 'The file is a ZIP archive. Take the file out of it first.',
  },
]
const HEAD_BYTES = 100

/**
 * Decompresses gzip and Zstandard, recognised by their first bytes; anything else passes unchanged.
 * @param passes a form that is no text and passes unchanged all the same
 * @throws OperatorError when a compressed file is truncated or damaged, and for forms that are no text
 */
export async function* decompress(source: AsyncIterable<Uint8Array>, passes?: 'Parquet'): AsyncGenerator<Uint8Array> {
  const { head, all } = await readHead(source, HEAD_BYTES)
  const form = FORMS.find(
    ({ magic, rest }) =>
      head.subarray(0, magic.length).equals(magic) && rest?.test(head.subarray(magic.length).toString('latin1')) !== false,
  )
  if (form === undefined || form.name === passes) return yield* all
  if (form.decompressor === undefined) {
    await all.next()
    await all.return(undefined)
    throw new OperatorError(form.advice)
  }
  yield* decompressChunks(all, form.name, form.decompressor())
}

/** Reads at least so many first bytes of a file, fewer only where the file ends; `all` gives the whole file with them. */
export const readHead = async (
  source: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ head: Buffer; all: AsyncGenerator<Uint8Array> }> => {
  const chunks = source[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  let isEnd = false
  while (head.length < length && !isEnd) {
    const { done, value } = await chunks.next()
    if (done === true) isEnd = true
    else head = Buffer.concat([head, value])
  }
  return { head, all: prepend(head, isEnd ? null : chunks) }
}

/** The bytes read already, then the rest of the chunks. */
async function* prepend(head: Uint8Array, chunks: AsyncIterator<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    yield head
    for (let next = await chunks?.next(); next !== undefined && next.done !== true; next = await chunks?.next()) yield next.value
  } finally {
    await chunks?.return?.()
  }
}

/** Decompresses the chunks. @throws OperatorError when they are cut or damaged */
async function* decompressChunks(
  compressed: AsyncGenerator<Uint8Array>,
  name: string,
  decompressor: Transform,
): AsyncGenerator<Uint8Array> {
  const input = Readable.from(compressed, { objectMode: false })
  input.on('error', (error) => decompressor.destroy(error))
  try {
    for await (const chunk of input.pipe(decompressor)) yield chunk as Buffer
  } catch (error) {
    if (!/^(Z_|ZSTD_|ERR_ZSTD|ERR_BUFFER)/.test(String((error as NodeJS.ErrnoException).code))) throw error
    throw new OperatorError(`The file is compressed with ${name}, and cut or damaged.`, { cause: error })
  } finally {
    input.destroy()
    decompressor.destroy()
  }
}
