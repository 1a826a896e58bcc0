import { describe, expect, test } from 'vitest'
import { findProvider } from '../../../src/payments/providers/registry.ts'
import { queryAsAdministrator } from '../../support/people.ts'
import { type FoundAttempt, lastAttemptOf } from '../attempts-of.ts'
import { runPaymentsCommand } from '../payment-commands.ts'
import { payByLink, type PayingCustomer } from '../payments-fixture.ts'
import { usePaymentsFixture } from '../use-payments.ts'
import { linkPageOf } from './link-page.ts'
import type { ProviderDriver } from '../providers/provider-driver.ts'
import { addPayerAt, connectReseller, PROVIDER_DRIVERS } from '../providers/provider-drivers.ts'

const fixture = await usePaymentsFixture()
const query = <Row extends object>(statement: string, values: unknown[] = []) =>
  queryAsAdministrator<Row>(fixture.context, statement, values)

type Paid = FoundAttempt & { readonly invoice: number }

const connect = (provider: ProviderDriver): Promise<PayingCustomer> => addPayerAt(fixture, provider)

/** Pays an invoice by its link. */
const pay = async (provider: ProviderDriver, payer: PayingCustomer): Promise<Paid> => {
  fixture.context.advance(1_000)
  const invoice = await payer.invoice({ currency: provider.currency })
  const card = await provider.cardFields(await linkPageOf(fixture, payer, invoice))
  const answer = await payByLink(fixture, invoice, '', { cardToken: undefined, ...card })
  expect([answer.statusCode, answer.body]).toMatchObject([200, expect.stringContaining('succeeded')])
  return { ...(await lastAttemptOf(fixture.context, invoice)), invoice }
}

interface Found {
  readonly kind: string
  readonly reference: string
  readonly isMended: boolean
}

const reconcile = async ({ resellerId }: PayingCustomer): Promise<Found[]> => {
  const said = await runPaymentsCommand(fixture.context, 'payments reconcile', [], { reseller: String(resellerId), json: true })
  expect(said.err).toEqual([])
  const { reconciled } = said.json<{ reconciled: Record<'drifts', Found[]>[] }>()
  return reconciled.flatMap((one) => one.drifts).toSorted((one, other) => (one.kind < other.kind ? -1 : 1))
}

/** The payment as it would be here if its answer had been lost and it had been given up. */
const forget = async ({ id, invoice }: Paid): Promise<void> => {
  await query("update payment_attempt set status = 'expired' where id = $1", [id])
  await query('delete from payment_allocation where attempt_id = $1', [id])
  await query('update invoice set status = 1, amount_due_minor = 11000 where id = $1', [invoice])
}

const LISTING = PROVIDER_DRIVERS.filter(({ name }) => findProvider(name)?.listPayments !== undefined)

describe.each(LISTING)('$name', (provider) => {
  test(`[PAY-01] ${provider.name}: ledgers that agree are found to agree, however often`, async () => {
    const payer = await connect(provider)
    await pay(provider, payer)
    await pay(provider, payer)
    fixture.context.advance(2 * 3_600_000)
    expect(await reconcile(payer)).toEqual([])
    expect(await reconcile(payer)).toEqual([])
  })

  test(`[PAY-01] ${provider.name}: each kind of discrepancy is found, and settled where a look-up can`, async () => {
    const payer = await connect(provider)
    const lost = await pay(provider, payer)
    const [odd, renamed, elsewhere] = [await pay(provider, payer), await pay(provider, payer), await pay(provider, payer)]
    fixture.context.advance(2 * 3_600_000)
    await forget(lost)
    await query('update payment_attempt set amount_minor = 10900 where id = $1', [odd.id])
    await query("update payment_attempt set currency = 'CHF' where id = $1", [elsewhere.id])
    await query('update payment_attempt set merchant_reference = $2, provider_ref = $3 where id = $1', [
      renamed.id,
      [...renamed.merchantReference].toReversed().join(''),
      `x${renamed.providerRef}`,
    ])
    const found = await reconcile(payer)
    expect(found.map(({ kind }) => kind)).toEqual(['amount', 'currency', 'missing-here', 'missing-there', 'paid-there'])
    expect(found.filter(({ isMended }) => isMended).map(({ kind }) => kind)).toEqual(['paid-there'])
    expect(await payer.readInvoice(lost.invoice)).toMatchObject({ invoiceStatus: 11 })
    expect((await reconcile(payer)).map(({ kind }) => kind)).toEqual(['amount', 'currency', 'missing-here', 'missing-there'])
  })

  test(`[PAY-01] ${provider.name}: payments of a reseller that shares the account are told as such`, async () => {
    const [one, other] = [await connect(provider), await connect(provider)]
    await pay(provider, one)
    await connectReseller(fixture.context, fixture.sandbox, provider, other.resellerId, one.resellerId)
    fixture.context.advance(2 * 3_600_000)
    expect(await reconcile(other)).toMatchObject([{ kind: 'other-reseller' }])
    expect(await reconcile(one)).toEqual([])
  })

  test(`[PAY-01] [OPS-03] ${provider.name}: a list that does not come is no agreement`, async () => {
    const payer = await connect(provider)
    await fixture.sandbox.fault({ provider: provider.name, operation: 'list', kind: 'error' })
    const silent = await runPaymentsCommand(fixture.context, 'payments reconcile', [], { reseller: String(payer.resellerId) })
    expect([silent.code, silent.out.join()]).toEqual([1, expect.stringContaining('did not return its list')])
  })
})
