import { addDays } from '@counterfoil/contract/kit/day'
import { unitsToText } from '@counterfoil/contract/kit/decimal'
import { type FileMetaData, type ParquetParsers, parquetSchema } from 'hyparquet'

/** A column of a Parquet file by its name; a decimal has its scale, and its values are whole numbers of that many decimals. */
export interface ParquetColumn {
  readonly name: string
  readonly scale: number | null
}

/**
 * Removes the decimal type of columns from the metadata itself, so that the reader gives the whole numbers that are stored: it would make
 * binary floating point of decimals.
 * @returns all columns, with the scale of those that were decimals
 */
export const removeDecimalTypes = (metadata: FileMetaData): ParquetColumn[] =>
  parquetSchema(metadata).children.map(({ element, children }) => {
    const { name, converted_type: converted, logical_type: logical, scale = 0 } = element
    const isDecimal = converted === 'DECIMAL' || logical?.type === 'DECIMAL'
    if (!isDecimal || children.length > 0) return { name, scale: null }
    delete element.converted_type
    delete element.logical_type
    return { name, scale: logical?.type === 'DECIMAL' ? logical.scale : scale }
  })

/** The value as a CSV file would have it; an empty text for a missing one, JSON for a list or object. */
export const valueToText = (value: unknown, scale: number | null): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (scale !== null) return unitsToText(toUnits(value), scale)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  return typeof value === 'object' ? JSON.stringify(value, toPlain) : String(value as number | bigint | boolean)
}

/** A stored decimal as the whole number that it is; bytes are big-endian two's complement. */
const toUnits = (value: unknown): bigint => {
  if (!(value instanceof Uint8Array)) return BigInt(value as number | bigint)
  return value.length === 0 ? 0n : BigInt.asIntN(value.length * 8, BigInt(`0x${Buffer.from(value).toString('hex')}`))
}

/** For JSON: a large whole number as a text, bytes as text. */
const toPlain = (_key: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value
}

/** Instants, days and JSON as text, with all the digits that the file has. */
export const TEXT_PARSERS: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (millis) => instantText(millis, 3),
  timestampFromMicroseconds: (micros) => instantText(micros, 6),
  timestampFromNanoseconds: (nanos) => instantText(nanos, 9),
  dateFromDays: (days) => instantText(days === undefined || days === null ? days : BigInt(days) * 86_400n, 0)?.slice(0, 10),
  jsonFromBytes: (bytes) => (bytes === undefined || bytes === null ? bytes : Buffer.from(bytes).toString('utf8')),
}

const MAX_DAYS = 1_000_000n

/**
 * An instant in ISO 8601, or the bare number where its day is too far away.
 * @param units since 1970, of which a second has 10 to the power of `digits`
 */
const instantText = (units: bigint | null | undefined, digits: number): string | undefined => {
  if (units === null || units === undefined) return undefined
  const perDay = 86_400n * 10n ** BigInt(digits)
  const rest = ((units % perDay) + perDay) % perDay
  const days = (units - rest) / perDay
  if (days > MAX_DAYS || days < -MAX_DAYS) return String(units)
  const [seconds = '', fraction = ''] = unitsToText(rest, digits).split('.')
  const clock = [3_600, 60, 1]
    .map((unit, at) => String(Math.floor(Number(seconds) / unit) % (at === 0 ? 24 : 60)).padStart(2, '0'))
    .join(':')
  return `${addDays('1970-01-01', Number(days))}T${clock}${fraction === '' ? '' : `.${fraction}`}Z`
}
