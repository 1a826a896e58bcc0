import { withoutSeparators } from '@counterfoil/contract/kit/payments/printed-number'

export { withoutSeparators }

/** An Australian bank's number as it is printed: "062000" becomes "062-000". */
export const formatBsb = (number: string): string => (number.length > 3 ? `${number.slice(0, 3)}-${number.slice(3)}` : number)

/** Whether a printed number, without its separators, is digits alone, between `min` and `max` of them. */
export const isNumberOf = (printed: string, min: number, max: number): boolean => {
  const number = withoutSeparators(printed)
  return /^\d+$/.test(number) && number.length >= min && number.length <= max
}
