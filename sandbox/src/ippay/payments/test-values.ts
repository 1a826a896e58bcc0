/** The cents of an amount that approve; any other cents decline. */
const APPROVING_CENTS: ReadonlySet<string> = new Set(
  '08 09 10 11 16 17 18 20 22 23 24 25 26 27 45 46 47 48 49 50 56 60 64 66 67 68 69 70 71 72 73 74 79 86 87 88 89 95 97 98 99 00'.split(
    ' ',
  ),
)

/** The cents whose declines have a code of their own: "0" and the cents. */
const KNOWN_CENTS: ReadonlySet<string> = new Set(
  '01 02 03 04 05 06 07 12 13 14 15 19 21 28 30 39 41 43 51 52 53 54 55 57 58 61 62 63 65 75 76 77 78 80 81 82 84 91 92 93 96'.split(' '),
)

export const APPROVED = '000'
export const DECLINED = '005'
export const DUPLICATE = '094'

/** Above it every amount is approved, so that the invoices of the demo world can be paid. */
const MAX_TEST_AMOUNT = 20_000

/** The action code that the cents of an amount choose; above MAX_TEST_AMOUNT always approved. */
export const codeOfAmount = (amount: number): string => {
  if (amount > MAX_TEST_AMOUNT) return APPROVED
  const cents = String(amount % 100).padStart(2, '0')
  if (APPROVING_CENTS.has(cents)) return APPROVED
  return KNOWN_CENTS.has(cents) ? `0${cents}` : DECLINED
}

/** The hosted page stores this card and answers AFS-103 about it. */
export const SCREENED_CARD = '4000300020001103'
/** The hosted page answers that the bank declines this card. */
export const DECLINED_CARD = '4000300020001208'

/** Any other number might be a real card, so it is declined and never stored. */
const TEST_CARDS: ReadonlySet<string> = new Set([
  '4000300020001000',
  '4000300020001018',
  '4111111111111111',
  '5454545454545454',
  '378282246310005',
  '6011111111111117',
  SCREENED_CARD,
  DECLINED_CARD,
])

/** Whether a number is one of the test cards, the only ones that are charged or stored. */
export const isTestCard = (number: string): boolean => TEST_CARDS.has(number)

/** Whether a text can be a card's number: 13 to 19 digits with a valid check digit, or SCREENED_CARD. */
export const isCardNumber = (number: string): boolean =>
  /^\d{13,19}$/.test(number) && (number === SCREENED_CARD || sumOfDigits(number) % 10 === 0)

/** The sum of ISO/IEC 7812-1: every second digit from the right counts twice. */
const sumOfDigits = (number: string): number =>
  [...number].toReversed().reduce((sum, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2
    return sum + (value > 9 ? value - 9 : value)
  }, 0)

/** Whether a text is the number of a bank (ABA): nine digits with a valid check digit. */
export const isAba = (number: string): boolean => {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = [...number].map(Number)
  return /^\d{9}$/.test(number) && (3 * (a + d + g) + 7 * (b + e + h) + (c + f + i)) % 10 === 0
}

/** Whether a text has 4 to 17 digits. */
export const isAccountNumber = (number: string): boolean => /^\d{4,17}$/.test(number)

/** Whether a card is past its last month; the current month is still valid. */
export const isExpired = ({ month, year }: { month: string; year: string }, now: number): boolean => {
  const today = new Date(now)
  return Number(year) * 12 + Number(month) < (today.getUTCFullYear() % 100) * 12 + today.getUTCMonth() + 1
}

/** Whether the month is one, and month and year have two digits each; the date may be past. */
export const isExpiry = ({ month, year }: { month: string; year: string }): boolean =>
  /^(0[1-9]|1[0-2])$/.test(month) && /^\d{2}$/.test(year)
