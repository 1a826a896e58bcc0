import { once } from 'node:events'
import { parse } from 'csv-parse'
import { csvLines } from '../../../server/src/imports/csv-lines.ts'
import { textLines } from '../../../server/src/imports/text-lines.ts'
import { type Finding, median, minFinding } from '../harness/findings.ts'

const ROWS = 300_000
const REPEATS = 5
const CHUNK_BYTES = 65_536

/** A file of usage records as billing engines export it; in one of `quotedEvery` lines a field stands in quotes. */
const usageFile = (quotedEvery: number): Buffer =>
  Buffer.from(
    Array.from({ length: ROWS }, (_, row) => {
      const site = row % quotedEvery === 0 ? '"Depot, north"' : 'Depot'
      return `rec-${row},2026-10-${String((row % 28) + 1).padStart(2, '0')}T08:15:00Z,C-${row % 500},Mobile Data,Domestic,0412${row % 9_999},${site},${row % 97}.125,0.0042\n`
    }).join(''),
  )

async function* chunksOf(file: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += CHUNK_BYTES) yield file.subarray(at, at + CHUNK_BYTES)
}

const readWithOurs = async (file: Buffer): Promise<number> => {
  const reader = csvLines('next line')
  let rows = 0
  for await (const lines of textLines(chunksOf(file))) rows += reader.read(lines).length
  return rows + reader.rest().length
}

/** The library as it is used for streams, with the settings that say on which line damage stands. */
const readWithLibrary = async (file: Buffer): Promise<number> => {
  const parser = parse({ bom: true, info: true, relax_column_count: true, skip_empty_lines: true, skip_records_with_error: true })
  const writing = (async () => {
    for await (const chunk of chunksOf(file))
      if (!parser.write(chunk)) await new Promise<void>((resolve) => void parser.once('drain', () => resolve()))
    parser.end()
  })()
  let rows = 0
  parser.on('data', () => {
    rows += 1
  })
  await Promise.all([writing, once(parser, 'end')])
  return rows
}

const secondsOf = async (read: (file: Buffer) => Promise<number>, file: Buffer): Promise<number> => {
  const startedAt = performance.now()
  const rows = await read(file)
  if (rows !== ROWS) throw new Error(`${rows} rows were read of ${ROWS}`)
  return (performance.now() - startedAt) / 1_000
}

const rate = (seconds: readonly number[]): string => `${Math.round(ROWS / median(seconds) / 1_000)},000`

const measureFile = async (what: string, file: Buffer, goal: number): Promise<Finding> => {
  const ratios: number[] = []
  const [ours, library]: [number[], number[]] = [[], []]
  for (let round = 0; round < REPEATS; round += 1) {
    const [mine, theirs] = [await secondsOf(readWithOurs, file), await secondsOf(readWithLibrary, file)]
    ours.push(mine)
    library.push(theirs)
    ratios.push(theirs / mine)
  }
  return minFinding(what, median(ratios), goal, '×', ` (${rate(ours)} against ${rate(library)} rows a second, ${REPEATS} rounds)`)
}

/** Measures the reader of imported CSV files against csv-parse, which would replace it if it were as fast. */
export const measureCsv = async (): Promise<Finding[]> => [
  await measureFile('Rows a second of our reader : csv-parse, a quote in one line of 100', usageFile(100), 2),
  await measureFile('Rows a second of our reader : csv-parse, a quote in every line', usageFile(1), 2),
]
