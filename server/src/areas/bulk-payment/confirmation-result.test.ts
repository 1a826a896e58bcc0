import { expect, test } from 'vitest'
import { addPayerAt, PROVIDER_DRIVERS } from '../../../test/payments/providers/provider-drivers.ts'
import { usePaymentsFixture } from '../../../test/payments/use-payments.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'

const fixture = await usePaymentsFixture()

test.each(PROVIDER_DRIVERS.filter(({ store }) => store.card !== undefined))(
  '[PR-01] type $type, $name: the result page gets what became of the payment in its address, of its own customer alone',
  async (provider) => {
    const { name, currency } = provider
    const payer = await addPayerAt(fixture, provider)
    await provider.setClock?.(fixture.sandbox, fixture.context.clock())
    const cardId = String((await provider.store.card?.(payer, fixture.sandbox))?.json().id)
    /** Pays an invoice while the provider behaves so. @returns the address's values as the page sends them */
    const pay = async (kind: string | null) => {
      if (kind !== null) await fixture.sandbox.fault({ provider: name, operation: 'charge', kind, booked: kind === 'drop' })
      const intent = await payer.intent(await payer.invoice({ currency }))
      await payer.pay(intent, { cardId, type: 'card' })
      const [attempt] = await queryAsAdministrator<{ id: string; ref: string | null }>(
        fixture.context,
        'select id, provider_ref as ref from payment_attempt where intent_id = $1',
        [intent.id],
      )
      return {
        intentId: intent.id,
        values: { paymentIntent: attempt?.ref ?? '', paymentIntentClientSecret: '', sourceType: 'card', reqUid: attempt?.id },
      }
    }
    const read = async (values: object, by = payer) => by.me.post('/v1/ec/payments/confirmation/result', values)
    const paid = await pay(null)
    expect((await read(paid.values)).json()).toEqual({
      status: 3,
      error: null,
      id: paid.intentId,
      receiptId: paid.values.reqUid,
      payment: expect.objectContaining({ id: paid.values.reqUid, total: 110, hasReceipt: true }),
    })
    const declined = await pay('decline')
    expect((await read(declined.values)).json()).toEqual({
      status: 4,
      error: expect.stringMatching(/^[A-Z].+\.$/),
      id: declined.intentId,
      receiptId: null,
      payment: null,
    })
    const lost = await pay('drop')
    await fixture.sandbox.fault({ provider: name, operation: name === 'pinch' ? 'look-up' : 'lookup', kind: 'drop', times: 2 })
    await fixture.sandbox.fault({ provider: name, operation: 'list', kind: 'drop', times: 2 })
    expect((await read(lost.values)).json()).toMatchObject({ status: 2, error: null, receiptId: null })
    for (const lie of [
      { paymentIntent: 'another' },
      { paymentIntentClientSecret: 'another_secret_x' },
      { reqUid: 'another', paymentIntent: '' },
    ])
      expect((await read({ ...paid.values, ...lie })).statusCode).toBe(404)
    expect((await read(paid.values, await addPayerAt(fixture, provider))).statusCode).toBe(404)
  },
)
