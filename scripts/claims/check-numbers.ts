import type { Claim, Verdict } from './claim.ts'

const TIMES: Readonly<Record<string, number>> = { ms: 1, millisecond: 1, s: 1e3, second: 1e3, minute: 6e4, hour: 36e5, day: 864e5 }
const SIZES: Readonly<Record<string, number>> = { byte: 1, kb: 1e3, kib: 1024, mb: 1e6, mib: 1024 ** 2, gb: 1e9, gib: 1024 ** 3 }
const COUNTS = ['%', 'percent', 'row', 'request', 'character', 'line', 'connection', 'time']
const WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen']

const MEASURES = [...Object.keys(TIMES), ...Object.keys(SIZES)].join('|')
const QUANTITY = new RegExp(
  `(?<![\\w.,/-])(?:(\\d[\\d,.]*)[ -]?(${MEASURES}|${COUNTS.join('|')})|(${WORDS.join('|')})[ -](${MEASURES}))s?(?![\\w/])`,
  'gi',
)
/** Constants stand in backticks, or in a comment that no reader sees. */
const NAMED = /`([A-Za-z_]\w*)(?:\(\))?`|<!-- ([\w, ]+) -->/g
/** The mark of a sentence whose numbers are rules of others. */
const NOT_OURS = '<!-- not ours -->'
const UNIT_OF_NAME = /_(MS|S|SECONDS|MINUTES|HOURS|DAYS|BYTES)$|(?<=[a-z])(Ms|Seconds|Minutes|Hours|Days|Bytes)$/

const factorOf = (unit: string): number => TIMES[unit] ?? SIZES[unit] ?? 1

/** KB and MB are said of powers of 1,000 and of 1,024. */
const isQuantity = (value: number, quantity: number): boolean =>
  [1, 1.024, 1.024 ** 2].some((factor) => value === Math.round(quantity * factor))

/** Whether a constant of this name and value is `count` of the unit. Without a unit in its name it counts milliseconds, bytes or the unit. */
const isSame = (name: string, value: number, count: number, unit: string): boolean => {
  const [, capitals, camel] = UNIT_OF_NAME.exec(name) ?? []
  const unitOfName = (capitals ?? camel)?.toLowerCase().replace(/(?<=\w{2})s$/, '')
  const quantity = count * factorOf(unit)
  if (unitOfName !== undefined) return isQuantity(value * factorOf(unitOfName), quantity)
  return value === count || isQuantity(value, quantity) || (/^(?:%|percent)$/.test(unit) && value * 100 === count)
}

const countOf = (text: string): number =>
  WORDS.includes(text.toLowerCase()) ? WORDS.indexOf(text.toLowerCase()) + 1 : Number(text.replaceAll(',', ''))

/** What is wrong with the first number with a unit of a sentence: one of the constants that the sentence names has its value. */
export const checkNumbers = ({ text }: Claim, values: ReadonlyMap<string, readonly number[]>, needsConstant: boolean): Verdict => {
  const words = [...text.matchAll(NAMED)].flatMap(([, code, comment = '']) => code ?? comment.split(/, ?/))
  const named = words.filter((name) => values.has(name))
  if (text.includes(NOT_OURS) || (named.length === 0 && !needsConstant)) return null
  for (const [quantity, digits, unitOfDigits, word, unitOfWord] of text.replaceAll(/`[^`]*`|\]\([^)]*\)/g, '').matchAll(QUANTITY)) {
    const [count, unit] = [digits ?? word ?? '', unitOfDigits ?? unitOfWord ?? '']
    const isTrue = named.some((name) => values.get(name)?.some((value) => isSame(name, value, countOf(count), unit.toLowerCase())))
    if (!isTrue) return named.length === 0 ? `"${quantity}" names no constant` : `"${quantity}" is not the value of ${named.join(' or ')}`
  }
  return null
}
