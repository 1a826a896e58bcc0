/** An amount written as `12.34` in cents. */
export const toCents = (amount: string): number => Number(amount.replace('.', ''))

/** Cents as receipts write them: `12.34`. */
export const toAmount = (cents: number): string => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
