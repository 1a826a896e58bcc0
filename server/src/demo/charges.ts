import { divideRounded } from '@counterfoil/contract/kit/decimal'
import { addDays, type Day, firstOfMonth, lastOfMonth } from '@counterfoil/contract/kit/day'
import type { Account } from './account.ts'
import { type Period, PERIODS, periodIndexOf } from './calendar.ts'
import type { Connection } from './connections.ts'
import { ENGLISH, type OneOff, type ServiceProfile } from './profile.ts'

/** A charge: one invoice line, and one transaction for each connection that it is for. */
export interface Charge {
  readonly serviceNo: number | null
  readonly serviceName: string
  readonly label: string
  readonly code: string
  readonly fromOn: Day
  readonly toOn: Day
  /** Whole pieces of `unitMinor` each; absent where the amount is the sum of usage. */
  readonly pieces?: { readonly quantity: number; readonly unitMinor: number }
  /** The usage that the amount is for, in thousandths of its unit. */
  readonly usage?: { readonly unitsMilli: number; readonly unit: string }
  readonly amountMinor: number
  /** A fee is charged for each of these; empty for everything else. */
  readonly connections: readonly Connection[]
}

/** The fees and usage of a month. The current month has only fees: its usage is billed when it has ended. */
export const monthlyCharges = (account: Account, period: Period): Charge[] =>
  account.reseller.services.flatMap((service, serviceNo) => {
    const connections = account.connections.filter((item) => item.serviceNo === serviceNo && item.since <= period.index)
    const usage = period.index === PERIODS - 1 ? undefined : account.usage.sums[period.index]?.[serviceNo]
    return [
      ...(connections.length > 0 ? [feeCharge(service, serviceNo, period, connections)] : []),
      ...(usage !== undefined && usage.priceMicros > 0 ? [usageCharge(account, service, serviceNo, period, usage)] : []),
    ]
  })

/** The charges of a month before the first period: those of the same month a year or two later, with fewer connections and less usage. */
export const earlierCharges = (account: Account, startsOn: Day): Charge[] => {
  const later = new Set([firstOfMonth(startsOn, 12), firstOfMonth(startsOn, 24)])
  const sameMonth = account.periods.find((period) => later.has(period.startsOn))
  return sameMonth === undefined
    ? []
    : monthlyCharges(account, sameMonth).map((charge) => ({
        ...charge,
        fromOn: startsOn,
        toOn: lastOfMonth(startsOn),
        connections: [],
        ...(charge.pieces === undefined ? lessUsage(charge, sameMonth.index) : fewerPieces(charge.pieces)),
      }))
}

/** Four fifths of the pieces, at least one, with their amount. */
const fewerPieces = ({ quantity, unitMinor }: NonNullable<Charge['pieces']>) => {
  const fewer = Math.max(1, Math.floor(quantity * 0.8))
  return { pieces: { quantity: fewer, unitMinor }, amountMinor: fewer * unitMinor }
}

/** 74 to 91 % of the usage, differently in each month and service. */
const lessUsage = ({ serviceNo, usage, amountMinor }: Charge, index: number): Partial<Charge> => {
  const percent = BigInt(74 + ((index * 7 + (serviceNo ?? 0) * 5) % 18))
  const part = (whole: number): number => Number(divideRounded(BigInt(whole) * percent, 100n))
  return { ...(usage !== undefined && { usage: { ...usage, unitsMilli: part(usage.unitsMilli) } }), amountMinor: part(amountMinor) }
}

/** The monthly fee of a service, a piece for each connection. */
const feeCharge = (service: ServiceProfile, serviceNo: number, period: Period, connections: readonly Connection[]): Charge => ({
  serviceNo,
  serviceName: service.name,
  label: service.plan.label,
  code: service.plan.code,
  fromOn: period.startsOn,
  toOn: period.endsOn,
  pieces: { quantity: connections.length, unitMinor: service.plan.feeMinor },
  amountMinor: connections.length * service.plan.feeMinor,
  connections,
})

/** The charge of a month's usage of a service, rounded to minor units. */
const usageCharge = (
  account: Account,
  service: ServiceProfile,
  serviceNo: number,
  period: Period,
  { priceMicros, unitsMilli }: { readonly priceMicros: number; readonly unitsMilli: number },
): Charge => ({
  serviceNo,
  serviceName: service.name,
  label: wordingOf(account).usage.replace('{service}', service.name),
  code: `${service.plan.code}-U`,
  fromOn: period.startsOn,
  toOn: period.endsOn,
  usage: { unitsMilli, unit: service.unit },
  amountMinor: Number(divideRounded(BigInt(priceMicros), 10_000n)),
  connections: [],
})

/** A charge outside the monthly ones, with the state that its invoice demonstrates. */
export interface OneOffBill {
  readonly shows: 'paid' | 'zero' | 'credited' | 'collection' | 'open'
  readonly issuedOn: Day
  readonly periodIndex: number
  readonly charges: readonly Charge[]
}

/** One invoice of each kind, so that every customer has an invoice in every state. */
export const oneOffBills = (account: Account): OneOffBill[] => {
  const { today, periods } = account
  const wording = wordingOf(account)
  const dayIn = (index: number, day: number): Day => addDays(periods[index]?.startsOn ?? today, day - 1)
  const bill = (shows: OneOffBill['shows'], issuedOn: Day, ...oneOffs: readonly OneOff[]): OneOffBill => ({
    shows,
    issuedOn,
    periodIndex: periodIndexOf(issuedOn, today),
    charges: oneOffs.map((oneOff) => oneOffCharge(wording.service, oneOff, issuedOn)),
  })
  const { replacement, goodwill } = wording
  const credit = { label: goodwill, code: 'CREDIT', unitMinor: -replacement.unitMinor, quantity: replacement.quantity }
  return [
    bill('paid', dayIn(0, 10), wording.setUp),
    bill('zero', dayIn(5, 12), replacement, credit),
    bill('credited', dayIn(8, 18), wording.termination),
    bill('collection', addDays(today, -6), wording.order),
    bill('open', addDays(today, -3), wording.hardware),
  ]
}

/** A charge that belongs to no service, on one day. */
const oneOffCharge = (serviceName: string, { label, code, unitMinor, quantity }: OneOff, day: Day): Charge => ({
  serviceNo: null,
  serviceName,
  label,
  code,
  fromOn: day,
  toOn: day,
  pieces: { quantity, unitMinor },
  amountMinor: quantity * unitMinor,
  connections: [],
})

/** The reseller's texts for invoices, English where it has none. */
const wordingOf = (account: Account) => account.reseller.wording ?? ENGLISH
