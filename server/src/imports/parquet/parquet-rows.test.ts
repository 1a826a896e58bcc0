import * as zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { type ColumnSource, parquetWriteBuffer, type ParquetWriteOptions } from 'hyparquet-writer'
import { openParquet } from './parquet-rows.ts'

const write = (columnData: ColumnSource[], options: Partial<ParquetWriteOptions> = {}): Buffer =>
  Buffer.from(parquetWriteBuffer({ columnData, ...options }))

async function* inPieces(bytes: Uint8Array, pieceBytes = 997): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

const read = async (bytes: Uint8Array): Promise<(readonly string[] | string)[]> => {
  const file = await openParquet(inPieces(bytes))
  try {
    const records = []
    for await (const record of file.records()) records.push('fields' in record ? record.fields : `${record.line}: ${record.reason}`)
    return records
  } finally {
    await file.close()
  }
}

/** One column of this type with a root above it. */
const toTypedRow = (data: ColumnSource['data'], element: object): Buffer =>
  write([{ name: 'v', data }], {
    schema: [
      { name: 'root', num_children: 1 },
      { name: 'v', repetition_type: 'OPTIONAL', ...element },
    ],
  })

const BYTES_16 = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 }

test.each<[string, Buffer, string[]]>([
  [
    'a decimal of 38 digits',
    toTypedRow([12_345_678_901_234_567_890_123_456_789n, -3n, null], { ...BYTES_16, converted_type: 'DECIMAL', precision: 38, scale: 18 }),
    ['12345678901.234567890123456789', '-0.000000000000000003', ''],
  ],
  [
    'a decimal in 64 bits',
    toTypedRow([9_007_199_254_740_993n, -5n], { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 2 }),
    ['90071992547409.93', '-0.05'],
  ],
  ['a double', toTypedRow([0.1, 1e-7, -2.5], { type: 'DOUBLE' }), ['0.1', '1e-7', '-2.5']],
  ['a whole number beyond 2^53', toTypedRow([9_007_199_254_740_993n], { type: 'INT64' }), ['9007199254740993']],
  [
    'microseconds, also before 1970',
    toTypedRow([1_726_700_400_000_001n, -1n], { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' }),
    ['2024-09-18T23:00:00.000001Z', '1969-12-31T23:59:59.999999Z'],
  ],
  ['a text without a mark', toTypedRow([new TextEncoder().encode('Zürich')], { type: 'BYTE_ARRAY' }), ['Zürich']],
  ['JSON', toTypedRow([{ a: 'b' }], { type: 'BYTE_ARRAY', converted_type: 'JSON' }), ['{"a":"b"}']],
])('[OPS-03] Parquet: %s is read to its last digit', async (_what, bytes, values) => {
  expect(await read(bytes)).toEqual(values.map((value) => [value]))
})

test('[OPS-03] Parquet: a map of tags becomes JSON', async () => {
  const tags = write([{ name: 'Tags', data: [{ CostCenter: 'CC-1' }, null] }], {
    schema: [
      { name: 'root', num_children: 1 },
      { name: 'Tags', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'MAP' },
      { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 },
      { name: 'key', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      { name: 'value', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
    ],
  })
  expect(await read(tags)).toEqual([['{"CostCenter":"CC-1"}'], ['']])
})

const NUMBERS = Array.from({ length: 45_000 }, (_, at) => `row ${at}`)

test.each(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD'] as const)(
  '[OPS-03] Parquet compressed with %s: every row comes once, in order, over all row groups and pages',
  async (codec) => {
    const compressors = { GZIP: zlib.gzipSync, BROTLI: zlib.brotliCompressSync, ZSTD: zlib.zstdCompressSync }
    const columns: ColumnSource[] = [
      { name: 'v', data: NUMBERS, type: 'STRING' },
      { name: 'none', data: NUMBERS.map(() => null), type: 'STRING' },
    ]
    const bytes = write(columns, { codec, compressors, rowGroupSize: 30_000, pageSize: 10_000 })
    expect(await read(bytes)).toEqual(NUMBERS.map((text) => [text, '']))
  },
)

test('[OPS-03] Parquet that is cut, damaged or of another compression is refused in words', async () => {
  const bytes = write([{ name: 'v', data: NUMBERS, type: 'STRING' }])
  for (const length of [4, 20, bytes.length / 2, bytes.length - 1])
    await expect(read(bytes.subarray(0, length)), `${length} bytes`).rejects.toThrow('The file is Parquet, and cut or damaged')
  const scratched = Buffer.from(bytes)
  scratched.fill(0xff, 4, 2_000)
  await expect(read(scratched)).rejects.toThrow('The file is Parquet, and cut or damaged')
  const lz4 = write([{ name: 'v', data: ['a'], type: 'STRING' }], { codec: 'LZ4', compressors: { LZ4: (page) => page } })
  await expect(read(lz4)).rejects.toThrow('The file is Parquet compressed with LZ4, which cannot be read.')
})

test('[OPS-03] Parquet: a page that unpacks to more than its header says is refused', async () => {
  const compressors = { GZIP: () => zlib.gzipSync(Buffer.alloc(50_000_000)) }
  await expect(read(write([{ name: 'v', data: NUMBERS, type: 'STRING' }], { codec: 'GZIP', compressors }))).rejects.toThrow(
    'The file is Parquet, and cut or damaged',
  )
})

test('[OPS-03] Parquet: a row with a NUL byte is bad by itself', async () => {
  expect(await read(write([{ name: 'v', data: ['a', 'b\0', 'c'], type: 'STRING' }]))).toEqual([['a'], '2: it holds a NUL byte', ['c']])
})
