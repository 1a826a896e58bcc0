/**
 * A text that people typed without the `#` by which Pinch's test mode is told to refuse a payment, and without gaps.
 * In live mode the sign means nothing, and nobody misses it.
 */
export const withoutCodes = (text: string): string => text.replaceAll('#', ' ').replaceAll(/\s+/g, ' ').trim()
