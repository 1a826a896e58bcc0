import pg from 'pg'

const INT8 = 20
const DATE = 1082
const TIMESTAMPTZ = 1184

/** The number of an int8's text. @throws RangeError beyond 2^53 */
const parseSafeInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a whole number of the database is beyond 2^53')
  return value
}

/** Reads ids and minor units as numbers, dates as text, timestamps as Date and numeric as exact text. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return parseSafeInteger
    if (oid === DATE) return (text: string) => text
    if (oid === TIMESTAMPTZ) return (text: string) => new Date(text)
    return pg.types.getTypeParser(oid, format)
  }) as typeof pg.types.getTypeParser,
}
