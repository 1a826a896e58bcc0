/** A run of 12 to 19 digits, spaces and dashes between them allowed: what a card number looks like. */
export const CARD_LIKE = /\b\d(?:[ -]?\d){11,18}\b/g

/** Does a text hold what is a card's number by its check digit? People type it where it does not belong, and there it must not stay. */
export const hasCardNumber = (text: string): boolean =>
  (text.match(CARD_LIKE) ?? []).some((run) => isLuhnValid(run.replaceAll(/[ -]/g, '')))

/** Luhn's sum. */
const isLuhnValid = (digits: string): boolean =>
  [...digits].toReversed().reduce((sum, digit, at) => sum + (at % 2 === 0 ? Number(digit) : (DOUBLED_DIGIT_SUMS[Number(digit)] ?? 0)), 0) %
    10 ===
  0

/** The digits of a doubled digit, added up. */
const DOUBLED_DIGIT_SUMS = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9] as const
