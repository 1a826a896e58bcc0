import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { expect, test } from 'vitest'
import { isLive } from '../../../src/payments/attempts/attempt.ts'
import { SENDABLE_MS } from '../../../src/payments/attempts/transition.rules.ts'
import { type Attempt, findAttempt } from '../../../src/payments/attempts/attempt.queries.ts'
import { transactAsReseller } from '../../../src/payments/payments-deps.ts'
import { findProvider } from '../../../src/payments/providers/registry.ts'
import { mintScope } from '../../../src/session/scope.ts'
import { queryAsAdministrator } from '../../support/people.ts'
import { PAUSE_STEPS, PausedProvider, type PauseStep } from '../paused-provider.ts'
import { runPaymentsCommand } from '../payment-commands.ts'
import { payByLink, type PayingCustomer, returnToNow, runWorkerAfter } from '../payments-fixture.ts'
import { usePaymentsFixture } from '../use-payments.ts'
import { runCount } from './fault-context.ts'
import { linkPageOf } from './link-page.ts'
import { addFees, changeInvoice, removeFees } from '../fault-matrix/misfortunes.queries.ts'
import { COMEBACKS, type Comeback, giveBack, MISSING } from './provider-returns.ts'
import type { ProviderDriver } from '../providers/provider-driver.ts'
import { addPayerAt, PROVIDER_DRIVERS } from '../providers/provider-drivers.ts'

const pauses = new Map(
  PROVIDER_DRIVERS.flatMap(({ name }) => {
    const provider = findProvider(name)
    return provider === undefined ? [] : [[name, new PausedProvider(provider)] as const]
  }),
)
const fixture = await usePaymentsFixture({ PAYMENT_TIMEOUT_MS: '400' }, { providers: (name) => pauses.get(name)?.provider })

const MINUTE_MS = 60_000
const AMOUNT_MINOR = 9_900
const LOWERED_MINOR = 5_000
const PAST_EVERY_LOOK_UP = [3, 6, 16, 66, 200, 800, 1_500, 1_500]
/** The stand-ins keep real time, in which a company's desk gives money back. */
const FIRST_LOOK_UPS = [3, 6, 16, 66]

/** What the stand-in does with the first charge, and whether the money moves. */
const ANSWERS = [
  ['none', true],
  ['decline', false],
  ['drop', true],
  ['drop', false],
  ['error', true],
  ['garbage', true],
  ['refuse', false],
] as const

/** What happens between claim and call, each before the fence unless it says otherwise. */
const CHANGES = ['account exchanged', 'amount lowered', 'paid elsewhere', 'fee raised'] as const
const MISFORTUNES = [
  ...PAUSE_STEPS.map((step) => `frozen ${step}` as const),
  'a clock ahead',
  'answer lost',
  ...CHANGES,
  ...COMEBACKS,
] as const

interface MisfortuneCase {
  readonly misfortune: (typeof MISFORTUNES)[number]
  readonly kind: (typeof ANSWERS)[number][0]
  readonly booked: boolean
}

const isComeback = (misfortune: string): misfortune is Comeback => COMEBACKS.some((comeback) => comeback === misfortune)

/** Money goes back before anybody has heard of it only where it moved and its answer is not understood. */
const isPossible = ({ name }: ProviderDriver, { misfortune, kind, booked }: MisfortuneCase): boolean =>
  !isComeback(misfortune) || (booked && kind !== 'none' && MISSING[name]?.[misfortune] === undefined)

const casesOf = (provider: ProviderDriver): MisfortuneCase[] =>
  MISFORTUNES.flatMap((misfortune) => ANSWERS.map(([kind, booked]) => ({ misfortune, kind, booked }))).filter((one) =>
    isPossible(provider, one),
  )

const connect = (provider: ProviderDriver): Promise<PayingCustomer> => addPayerAt(fixture, provider)

const exchangeAccount = async (provider: ProviderDriver, payer: PayingCustomer, owner: number): Promise<void> => {
  const credentials = { '-': JSON.stringify(provider.settings(owner)) }
  const options = { credentials: '-', yes: true }
  const set = await runPaymentsCommand(fixture.context, 'reseller payments set', [String(payer.resellerId)], options, credentials)
  expect(set.code, set.err.join()).toBe(0)
}

const attemptsOf = async ({ resellerId, customerId }: PayingCustomer, invoice: number): Promise<Attempt[]> => {
  const rows = await queryAsAdministrator<{ id: string }>(
    fixture.context,
    'select attempt_id as id from payment_attempt_item where invoice_id = $1 order by attempt_id',
    [invoice],
  )
  const found = await transactAsReseller(fixture.payments, resellerId, (db) =>
    Promise.all(rows.map(({ id }) => findAttempt(db, mintScope({ resellerId, customerId, id })))),
  )
  return found.filter((attempt) => attempt !== undefined)
}

const pay = async (provider: ProviderDriver, payer: PayingCustomer, invoice: number, minor = AMOUNT_MINOR): Promise<void> => {
  const fields = await provider.cardFields(await linkPageOf(fixture, payer, invoice))
  const amount = (minor / 100).toFixed(2)
  await payByLink(fixture, invoice, '', { cardToken: undefined, invoiceAmount: amount, shownTotal: Number(amount), ...fields })
}

const lookUpFor = async (provider: ProviderDriver, minutes: readonly number[]): Promise<void> => {
  for (const waited of minutes) {
    await runWorkerAfter(fixture, waited * MINUTE_MS)
    await provider.setClock?.(fixture.sandbox, fixture.context.clock())
  }
}

const transact = (payer: PayingCustomer, work: Parameters<typeof transactAsReseller<void>>[2]): Promise<void> =>
  transactAsReseller(fixture.payments, payer.resellerId, work)

/** Lets it happen at its step of the next charge. */
const plan = (provider: ProviderDriver, payer: PayingCustomer, invoice: number, { misfortune }: MisfortuneCase): void => {
  const at = (step: PauseStep, work: () => Promise<unknown>): void => pauses.get(provider.name)?.pauseAt(step, work)
  const changeDue = (dueMinor: number) => (): Promise<void> =>
    transact(payer, (db) => changeInvoice(db, payer, { id: invoice, dueMinor, now: fixture.context.clock() }))
  if (misfortune === 'account exchanged') at('before the fence', () => exchangeAccount(provider, payer, 500_000 + payer.resellerId))
  if (misfortune === 'amount lowered') at('before the fence', changeDue(LOWERED_MINOR))
  if (misfortune === 'paid elsewhere') at('before the fence', changeDue(0))
  if (misfortune === 'fee raised') at('before the fence', () => transact(payer, (db) => addFees(db, payer, 500)))
  if (misfortune === 'a clock ahead') at('after the fence', () => runWorkerAfter(fixture, SENDABLE_MS - 1_000))
  for (const step of PAUSE_STEPS)
    if (misfortune === `frozen ${step}`)
      at(step, async () => {
        await lookUpFor(provider, PAST_EVERY_LOOK_UP)
        await payIfOpen(provider, payer, invoice)
      })
}

const readInvoice = async (invoice: number): Promise<{ status: number; due: number }> => {
  const [row] = await queryAsAdministrator<{ status: number; due: number }>(
    fixture.context,
    'select status::int, amount_due_minor::int as due from invoice where id = $1',
    [invoice],
  )
  return row ?? { status: 0, due: 0 }
}

const payIfOpen = async (provider: ProviderDriver, payer: PayingCustomer, invoice: number): Promise<void> => {
  const { status, due } = await readInvoice(invoice)
  if (status === INVOICE_STATUS.open) await pay(provider, payer, invoice, due)
}

const undo = async (provider: ProviderDriver, payer: PayingCustomer, { misfortune }: MisfortuneCase): Promise<void> => {
  if (misfortune === 'account exchanged') await exchangeAccount(provider, payer, payer.resellerId)
  if (misfortune === 'fee raised') await transact(payer, (db) => removeFees(db, payer))
}

/** Gives back what arrived and nobody has heard of. @returns whether it did */
const giveBackUnheard = async (provider: ProviderDriver, payer: PayingCustomer, invoice: number, comeback: Comeback): Promise<boolean> => {
  const [attempt] = await attemptsOf(payer, invoice)
  if (attempt?.status !== 'unknown') return false
  await giveBack({ fixture, provider, resellerId: payer.resellerId }, attempt, comeback)
  return true
}

/** What is wrong after a payment beside which this happened; undefined when nothing is. */
const problemAfter = async (provider: ProviderDriver, payer: PayingCustomer, one: MisfortuneCase): Promise<object | undefined> => {
  const { misfortune, kind, booked } = one
  if (isComeback(misfortune)) returnToNow(fixture)
  else fixture.context.advance(1_000)
  const lookUps = isComeback(misfortune) ? FIRST_LOOK_UPS : PAST_EVERY_LOOK_UP
  await provider.setClock?.(fixture.sandbox, fixture.context.clock())
  const invoice = await payer.invoice({
    currency: provider.currency,
    net_minor: 9_000,
    amount_minor: AMOUNT_MINOR,
    amount_due_minor: AMOUNT_MINOR,
  })
  if (kind !== 'none') await fixture.sandbox.fault({ provider: provider.name, operation: 'charge', kind, booked, ms: 900 })
  plan(provider, payer, invoice, one)
  await pay(provider, payer, invoice)
  if (misfortune === 'answer lost') await payIfOpen(provider, payer, invoice)
  const hasGoneBack = isComeback(misfortune) && (await giveBackUnheard(provider, payer, invoice, misfortune))
  await lookUpFor(provider, lookUps)
  const [first] = await attemptsOf(payer, invoice)
  // No request is made at a time before which the clock is set back: limits would count it.
  if (!isComeback(misfortune)) await payIfOpen(provider, payer, invoice)
  await lookUpFor(provider, lookUps)
  await undo(provider, payer, one)

  const attempts = await attemptsOf(payer, invoice)
  const ledger = await fixture.sandbox.ledger()
  const paid = attempts.filter(({ merchantReference }) =>
    ledger.some(({ reference, status }) => reference === merchantReference && status === 'succeeded'),
  )
  const { status, due } = await readInvoice(invoice)
  const left = attempts.filter((attempt) => isLive(attempt.status) && !provider.leavesToOperator)
  const isRight = hasGoneBack
    ? isAsGiven(provider, misfortune, first)
    : paid.length <= (misfortune === 'paid elsewhere' ? 0 : 1) &&
      paid.every((attempt) => attempt.status === 'succeeded') &&
      attempts.filter((attempt) => attempt.status === 'succeeded').length === paid.length &&
      paid.every((attempt) => attempt.amountMinor === (misfortune === 'amount lowered' ? LOWERED_MINOR : AMOUNT_MINOR)) &&
      (status === INVOICE_STATUS.paid) === (paid.length === 1 || misfortune === 'paid elsewhere')
  return isRight && left.length === 0
    ? undefined
    : { ...one, hasGoneBack, status, due, paid: paid.length, attempts: attempts.map((attempt) => attempt.status) }
}

/** Moneris cannot tell that money went back (its README). */
const isAsGiven = ({ name }: ProviderDriver, comeback: string, first: Attempt | undefined): boolean =>
  name === 'moneris' || comeback === 'partial refund'
    ? first?.status === 'succeeded'
    : first?.status === (comeback === 'void' ? 'expired' : 'reversed')

/** The cases of a provider, or evenly about so many of them. */
const runCases = async (provider: ProviderDriver, all: readonly MisfortuneCase[], first: number): Promise<void> => {
  const payer = await connect(provider)
  const every = Math.max(1, Math.round(all.length / runCount(5)))
  const cases = all.filter((_, at) => at % every === first % every)
  const problems: object[] = []
  for (const one of cases) {
    const problem = await problemAfter(provider, payer, one)
    if (problem !== undefined) problems.push(problem)
  }
  console.log(`${provider.name}: ${cases.length} of ${all.length} cases`)
  expect(problems).toEqual([])
}

const PROVIDERS = PROVIDER_DRIVERS.map((provider, at) => [provider.name, provider, at] as const)
const HOUR_MS = 3_600_000

// Later clocks run ahead of the stand-ins' by days, so that this comes first.
test.each(PROVIDERS)(
  '[PAY-01] %s: whatever is answered to a charge, what goes back before anybody has heard of it never paid',
  (_, provider, first) =>
    runCases(
      provider,
      casesOf(provider).filter(({ misfortune }) => isComeback(misfortune)),
      first,
    ),
  HOUR_MS,
)

test.each(PROVIDERS)(
  '[PAY-01] %s: whatever happens beside a payment, whatever is answered to its charge: never twice, never lost, never stuck',
  (_, provider, first) =>
    runCases(
      provider,
      casesOf(provider).filter(({ misfortune }) => !isComeback(misfortune)),
      first,
    ),
  HOUR_MS,
)
