import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { chargeNew, chargeStored } from '../../../../test/payments/charge-directly.ts'
import {
  adapterContext,
  contextAnswering,
  orderAt,
  STORE_OPTIONS,
  storeDirectly,
  useSandbox,
} from '../../../../test/payments/providers/adapter-bench.ts'
import {
  MONERIS_CARDS,
  MONERIS_CONTACT,
  MONERIS_SETTINGS,
  temporaryToken,
  typedCard,
} from '../../../../test/payments/providers/moneris.driver.ts'
import { identifiedOrder, sentOrder } from '../../../../test/payments/sent-order.ts'
import { addMs } from '../../../kit/clock.ts'
import type { NewCard } from '../method.ts'
import type { ChargeOrder } from '../order.ts'
import { moneris } from './moneris.ts'

const sandbox = await useSandbox()
const transcripts: string[] = []

const context = (settings: Partial<typeof MONERIS_SETTINGS> = {}) =>
  adapterContext(moneris, sandbox, { ...MONERIS_SETTINGS, ...settings }, { transcripts })

const store = (card: NewCard, settings?: Partial<typeof MONERIS_SETTINGS>) =>
  moneris.storing.store(context(settings), '', { ...card, ...MONERIS_CONTACT, type: 'card' }, { ...STORE_OPTIONS, id: randomUUID() })
const storedCard = (number = MONERIS_CARDS.visa) => storeDirectly(moneris, context(), { ...typedCard(number), type: 'card' })

const over = (minor: bigint) => ({ minor, currency: 'CAD' })
const newOrder = (more: Partial<ChargeOrder> = {}): ChargeOrder => orderAt(moneris, 'CAD', more)

const listBooked = sandbox.bookedOf

describe('[PM-50] moneris: a card is stored', () => {
  test('[PM-50] moneris: with what may be shown of it, and what its issuer calls the holder’s consent', async () => {
    expect(await store(typedCard())).toEqual({
      state: 'succeeded',
      method: {
        kind: 'card',
        type: 'card',
        status: 'ready',
        token: expect.stringMatching(/^[A-Za-z0-9]{25}$/),
        details: {
          brand: 'visa',
          last4: '4242',
          expMonth: 12,
          expYear: 2031,
          networkRef: expect.stringMatching(/^\d{15}$/),
          ...MONERIS_CONTACT,
        },
      },
    })
  })

  test('[PM-50] moneris: from a token of Moneris’ own fields, once', async () => {
    const card: NewCard = { typedMethod: { kind: 'token', token: await temporaryToken(sandbox) } }
    expect(await store(card)).toMatchObject({
      state: 'succeeded',
      method: { token: expect.not.stringMatching(/^ot-/), details: { last4: '4242', expMonth: 12, expYear: 2031, ...MONERIS_CONTACT } },
    })
    expect(await store(card)).toMatchObject({ state: 'declined', reason: 'method_gone' })
  })

  test('[PM-50] moneris: not with a wrong security code, though the issuer approves', async () => {
    expect(await store(typedCard(MONERIS_CARDS.visa, '999'))).toMatchObject({ state: 'declined', reason: 'incorrect_cvc' })
    expect(await store({ typedMethod: { kind: 'token', token: await temporaryToken(sandbox, '999') } })).toMatchObject({
      reason: 'incorrect_cvc',
    })
  })

  test('[PM-50] moneris: not when its issuer declines, its date has passed or the store is not set up', async () => {
    expect(await store(typedCard('4539578763621486'))).toMatchObject({ state: 'declined', reason: 'invalid_account' })
    expect(await store(typedCard(undefined, undefined, 2_020))).toMatchObject({ state: 'declined', reason: 'expired_card' })
    expect(await store(typedCard(), { apiToken: 'invalid' })).toMatchObject({ state: 'declined', reason: 'not_configured' })
  })

  test.each(['verify', 'store'])('[PM-50] moneris: not surely when %s has no answer', async (operation) => {
    await sandbox.fault({ provider: 'moneris', operation, kind: 'drop' })
    expect(await store(typedCard())).toMatchObject({ state: 'unknown' })
  })

  test('[PM-50] moneris: never by the key of a card that is stored already', async () => {
    const { token } = await storedCard()
    expect(await store({ typedMethod: { kind: 'token', token } })).toMatchObject({ state: 'declined', reason: 'enter_again' })
    const order = newOrder()
    expect(await chargeNew(moneris, context(), order, { typedMethod: { kind: 'token', token } })).toMatchObject({ state: 'declined' })
    expect(await listBooked(order.merchantReference)).toEqual([])
  })
})

describe('[PAY-01] a purchase', () => {
  test('[SP-03] moneris: by a token of Moneris’ own fields is paid once', async () => {
    const card: NewCard = { typedMethod: { kind: 'token', token: await temporaryToken(sandbox) } }
    const [order, again] = [newOrder(), newOrder()]
    expect(await chargeNew(moneris, context(), order, card)).toMatchObject({ state: 'succeeded', amount: order.amount })
    expect(await chargeNew(moneris, context(), again, card)).toMatchObject({ state: 'declined', reason: 'method_gone' })
    expect(await listBooked(again.merchantReference)).toEqual([])
  })

  test('[PAY-01] that is sent twice is charged once, and the second answer proves nothing', async () => {
    const [order, method] = [newOrder(), await storedCard(MONERIS_CARDS.mastercard)]
    expect(await chargeStored(moneris, context(), order, method)).toMatchObject({ state: 'succeeded' })
    expect(await chargeStored(moneris, context(), order, method)).toMatchObject({ state: 'unknown' })
    expect(await listBooked(order.merchantReference)).toEqual([['succeeded', 11_000]])
  })

  test('[PAY-01] approved over another amount says so', async () => {
    const [order, method] = [newOrder(), await storedCard()]
    await sandbox.fault({ provider: 'moneris', operation: 'charge', kind: 'wrong-amount', booked: false })
    expect(await chargeStored(moneris, context(), order, method)).toMatchObject({ state: 'succeeded', amount: over(11_100n) })
    expect(await moneris.lookUp(context(), sentOrder(order))).toMatchObject({ state: 'declined', providerCode: '481' })
  })

  test('[PAY-01] is not found by a store that makes no status checks, which proves nothing', async () => {
    const settings = { storeId: 'nostatus' }
    const order = newOrder()
    expect(await moneris.lookUp(context(settings), sentOrder(order))).toMatchObject({ state: 'unknown' })
    expect(await chargeNew(moneris, context(settings), order, typedCard())).toMatchObject({ state: 'succeeded' })
    expect(await moneris.lookUp(context(settings), sentOrder(order))).toMatchObject({ state: 'unknown' })
  })

  test('[PAY-01] that is longer than Moneris’ amounts is not sent', async () => {
    const [order, { sent, context: silent }] = [newOrder({ amount: over(100_000_000n) }), contextAnswering(moneris, MONERIS_SETTINGS)]
    expect(await chargeNew(moneris, silent, order, typedCard())).toMatchObject({ state: 'not_sent' })
    expect(sent).toEqual([])
  })
})

describe('[PAY-01] a refund', () => {
  const paidOrder = async () => {
    const order = newOrder()
    const paid = await chargeNew(moneris, context(), order, typedCard())
    return { order, providerRef: paid?.state === 'succeeded' ? paid.providerRef : '' }
  }
  const refundOf = async (minor: bigint, { refunded = 0n, at = new Date() }: { refunded?: bigint; at?: Date | null } = {}) => {
    const { order, providerRef } = await paidOrder()
    const result = await moneris.refunds?.refund(
      context(),
      { ...identifiedOrder(order, providerRef, at), refunded },
      over(minor),
      randomUUID(),
    )
    return { order, result, booked: await listBooked(order.merchantReference) }
  }
  const transactionsSent = () => transcripts.join('\n')

  test('[PAY-01] of all of a payment on its day is a void', async () => {
    transcripts.length = 0
    const { result, booked } = await refundOf(11_000n)
    expect(result).toMatchObject({ state: 'succeeded', amount: over(11_000n), refunded: 11_000n })
    expect(booked).toEqual([
      ['succeeded', 11_000],
      ['refunded', 11_000],
    ])
    expect([transactionsSent().includes('<purchasecorrection>'), transactionsSent().includes('<refund>')]).toEqual([true, false])
  })

  test.each([null, addMs(new Date(), -2 * 86_400_000)])('[PAY-01] of a payment of %s is a refund', async (at) => {
    transcripts.length = 0
    expect((await refundOf(11_000n, { at })).result).toMatchObject({ state: 'succeeded', refunded: 11_000n })
    expect(transactionsSent()).not.toContain('<purchasecorrection>')
  })

  test.each([
    ['refund', 4_000n],
    ['void', 11_000n],
  ])('[PAY-01] by %s without an answer is unknown, and asked for once', async (operation, minor) => {
    await sandbox.fault({ provider: 'moneris', operation, kind: 'drop' })
    const { result, booked } = await refundOf(minor)
    expect(result).toMatchObject({ state: 'unknown' })
    expect(booked).toHaveLength(2)
  })

  test('[PAY-01] that the bank declines, or Moneris does not know, moves nothing', async () => {
    await sandbox.fault({ provider: 'moneris', operation: 'refund', kind: 'decline' })
    const declined = await refundOf(4_000n)
    expect(declined.result).toMatchObject({ state: 'declined', providerCode: '481' })
    expect(declined.booked).toHaveLength(1)
    const unknown = await moneris.refunds?.refund(context(), identifiedOrder(newOrder(), '1-0_1'), over(4_000n), randomUUID())
    expect(unknown).toMatchObject({ state: 'not_sent', detail: expect.stringContaining('No Pre-auth corresponds') })
  })

  test('[PAY-01] approved over another amount is unknown', async () => {
    await sandbox.fault({ provider: 'moneris', operation: 'refund', kind: 'wrong-amount', booked: false })
    expect((await refundOf(4_000n)).result).toMatchObject({ state: 'unknown' })
  })
})

test('[OPS-03] moneris: an account whose open totals cannot be read is not called good', async () => {
  await sandbox.fault({ provider: 'moneris', operation: 'account', kind: 'garbage' })
  await expect(moneris.account.check?.(context())).rejects.toThrow('cannot be asked')
})
