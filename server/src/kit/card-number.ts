/** Matches what looks like a card number: 12 to 19 digits, with spaces or dashes between them. */
export const CARD_LIKE = /\b\d(?:[ -]?\d){11,18}\b/g

/**
 * What only looks like a card number: one random UUID of 900, as providers' tokens are, and one of ten phone numbers with twelve digits.
 */
const NO_CARD = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\+\d(?:[ -]?\d){6,14}(?![ -]?\d)/gi

/**
 * Whether a text contains a number with a valid check digit. People type card numbers into the wrong fields, where they must not be
 * stored.
 */
export const hasCardNumber = (text: string): boolean =>
  (text.replaceAll(NO_CARD, '|').match(CARD_LIKE) ?? []).some((run) => isLuhnValid(run.replaceAll(/[ -]/g, '')))

/** Whether the last of the digits is the check digit of the Luhn algorithm. */
const isLuhnValid = (digits: string): boolean =>
  [...digits].toReversed().reduce((sum, digit, at) => sum + (at % 2 === 0 ? Number(digit) : (DOUBLED_DIGIT_SUMS[Number(digit)] ?? 0)), 0) %
    10 ===
  0

/** The digit sum of each doubled digit. */
const DOUBLED_DIGIT_SUMS = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9] as const
