import { roundToUnits } from '@counterfoil/contract/kit/decimal'
import { currencyDigits, toDecimalText } from '@counterfoil/contract/kit/money'
import type { InvoiceLine } from '../../invoice-document.ts'

export interface ServiceGroup {
  readonly service: string
  readonly lines: readonly InvoiceLine[]
}

/** Groups adjacent lines of the same service, in print order. */
export const serviceGroups = (lines: readonly InvoiceLine[]): readonly ServiceGroup[] => {
  const groups: { readonly service: string; readonly lines: InvoiceLine[] }[] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last?.service === line.service) last.lines.push(line)
    else groups.push({ service: line.service, lines: [line] })
  }
  return groups
}

/** The exact sum of a group's amounts as a decimal text; null when an amount is not a decimal with the currency's digits. */
export const subtotalOf = ({ lines }: ServiceGroup, currency: string): string | null => {
  const digits = currencyDigits(currency)
  const exact = digits === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+(\\.\\d{1,${digits}})?$`)
  if (!lines.every(({ amount }) => exact.test(amount))) return null
  const minor = lines.reduce((sum, { amount }) => sum + roundToUnits(amount, digits), 0n)
  return toDecimalText({ minor, currency })
}
