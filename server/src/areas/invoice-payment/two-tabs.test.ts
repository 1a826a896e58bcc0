import { expect, test } from 'vitest'
import { linkPageOf } from '../../../test/payments/fault-injection/link-page.ts'
import { connectWireProvider, WIRE_PROVIDERS } from '../../../test/payments/fault-injection/wire-provider.ts'
import { addPayingCustomer, expectBalanced, payByLink } from '../../../test/payments/payments-fixture.ts'
import { usePaymentsFixture } from '../../../test/payments/use-payments.ts'

const fixture = await usePaymentsFixture()

test.each(WIRE_PROVIDERS.filter(({ store }) => store.card !== undefined))(
  '[SP-05] [PAY-01] type $type, $name: two tabs with one link and a third screen pay at the same instant: once, and nobody twice',
  async (provider) => {
    const { type: payment_type, currency } = provider
    const payer = await addPayingCustomer(fixture, { payment_type, currency, payment_raw_card: true })
    await connectWireProvider(fixture.context, fixture.sandbox, provider, payer.resellerId)
    await provider.setClock?.(fixture.sandbox, fixture.context.clock())
    const cardId = String((await provider.store.card?.(payer, fixture.sandbox))?.json().id)
    const invoice = await payer.invoice({ currency })
    const [page, intent] = [await linkPageOf(fixture, payer, invoice), await payer.intent(invoice)]
    const [first, second] = [await provider.cardFields(page), await provider.cardFields(page)]
    const answers = await Promise.all([
      ...[first, second].map((card) => payByLink(fixture, invoice, '', { cardToken: undefined, ...card })),
      payer.pay(intent, { cardId, type: 'card' }),
    ])
    const paid = answers.filter(({ body }) => (JSON.parse(body) as { status?: unknown }).status === 'succeeded')
    expect(paid.length).toBeGreaterThanOrEqual(1)
    for (const { statusCode } of answers) expect(statusCode).toBeLessThan(500)
    expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
    expect((await payByLink(fixture, invoice, '', { cardToken: undefined, ...second })).statusCode).toBeGreaterThanOrEqual(400)
    // Our ledger and the provider's agree: one charge.
    await expectBalanced(fixture)
    const charges = (await fixture.sandbox.ledger()).filter((entry) => entry.provider === provider.name && entry.status === 'succeeded')
    expect(charges).toHaveLength(1)
  },
)
