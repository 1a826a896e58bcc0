import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { startWebhookReceiver } from '../../test/webhook-receiver.ts'
import { startTestPinch } from '../test/test-pinch.ts'

const SECRET = 'whsec_test'

test('events are sent in PascalCase with a signature over time and text, and can be read again', async () => {
  const receiver = await startWebhookReceiver()
  const pinch = await startTestPinch({ webhooks: { pinch: { url: `${receiver.url}/{account}`, secret: SECRET } } })
  const card = await pinch.payerWithCard()
  await pinch.call('POST', '/payments/realtime', { ...card, amount: 500, nonce: 'n1', metadata: 'ours' })
  const [, delivery] = await receiver.waitFor(2)
  expect(delivery?.path).toBe('/app_acme')
  expect(delivery?.event).toMatchObject({
    Type: 'realtime-payment',
    Data: { Payment: { Status: 'approved', Nonce: 'n1', Metadata: 'ours' } },
  })
  const [, t = '', v2 = ''] = /^t=(\d+),v2=([0-9a-f]{64})$/.exec(String(delivery?.headers['pinch-signature'])) ?? []
  expect(v2).toBe(createHmac('sha256', SECRET).update(`${t}.${delivery?.text}`).digest('hex'))
  const event = await pinch.call('GET', `/events/${delivery?.event.Id}`)
  expect(event.body).toMatchObject({ type: 'realtime-payment', data: { payment: { nonce: 'n1' } } })
  expect((await pinch.call('GET', '/events')).body.totalItems).toBe(2)
  await pinch.stop()
  await receiver.close()
})

test('an account chooses where, what and in which case; results of banks name settlements and dishonours', async () => {
  const receiver = await startWebhookReceiver()
  const pinch = await startTestPinch()
  const saved = await pinch.call('POST', '/webhooks', { uri: receiver.url, webhookFormat: 'camel-case', eventTypes: ['bank-results'] })
  expect(saved).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^wbk_/), secret: expect.stringMatching(/^whsec_/) } })
  const { body } = await pinch.call('POST', '/payments', {
    ...(await pinch.payerWithAccount()),
    amount: 500,
    transactionDate: '2026-11-23',
  })
  for (const outcome of ['succeeded', 'returned']) await pinch.postControl('/settle', { provider: 'pinch', id: body.id, outcome })
  expect((await receiver.waitFor(2)).map(({ event }) => event)).toMatchObject([
    { type: 'bank-results', data: { dishonours: [], settlements: [{ payment: { id: body.id, status: 'settled' } }] } },
    { type: 'bank-results', data: { dishonours: [{ type: 'insufficient-funds', payment: { id: body.id } }], settlements: [] } },
  ])
  expect((await pinch.call('DELETE', `/webhooks/${saved.body.id}`)).status).toBe(200)
  expect((await pinch.call('GET', '/webhooks')).body).toEqual([])
  await pinch.stop()
  await receiver.close()
})

test('a forged event has a wrong signature, and a lost one never arrives', async () => {
  const receiver = await startWebhookReceiver()
  const pinch = await startTestPinch({ webhooks: { pinch: { url: receiver.url, secret: SECRET } } })
  const card = await pinch.payerWithCard()
  await receiver.waitFor(1)
  const charge = (nonce: string) => pinch.call('POST', '/payments/realtime', { ...card, amount: 500, nonce })
  for (const kind of ['lost', 'forged']) await pinch.postControl('/faults', { provider: 'pinch', operation: 'webhook', kind, times: 1 })
  await charge('lost')
  await charge('forged')
  const [, forged] = await receiver.waitFor(2)
  expect(forged?.event.Data.Payment).toMatchObject({ Nonce: 'forged', Status: 'settled' })
  const [, t = '', v2 = ''] = /^t=(\d+),v2=(\w+)$/.exec(String(forged?.headers['pinch-signature'])) ?? []
  expect(v2).not.toBe(createHmac('sha256', SECRET).update(`${t}.${forged?.text}`).digest('hex'))
  await pinch.stop()
  await receiver.close()
})
