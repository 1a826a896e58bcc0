import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { saveAccount } from '../../../src/payments/accounts/accounts.ts'
import { attemptsOf } from '../attempts-of.ts'
import { addPayingCustomer, payByLink, runWorkerAfter } from '../payments-fixture.ts'
import { usePaymentsFixture } from '../use-payments.ts'
import { linkPageOf } from './link-page.ts'
import { PROVIDER_DRIVERS } from '../providers/provider-drivers.ts'

const fixture = await usePaymentsFixture()

/** The calls by which money moves, in the words of each provider's wire. */
const CHARGES: Readonly<Record<string, RegExp>> = {
  authorize: /createTransactionRequest/,
  bpoint: /authkeys\/[^/]+\/process/,
  ippay: /<TransactionType>SALE/,
  moneris: /<purchase>/,
  nexio: /\/pay\/v3\/process/,
  pinch: /\/payments\/realtime/,
}

const send = (type: string, body: string) => (response: ServerResponse) => void response.writeHead(200, { 'content-type': type }).end(body)

/** Answers that say nothing, or far too much. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'an empty answer': send('application/json', ''),
  'no content': (response) => void response.writeHead(204).end(),
  'five megabytes': send('application/json', `{"status":"${'x'.repeat(5_242_880)}"}`),
  'an answer that breaks off': (response) => {
    response.writeHead(200, { 'content-length': '5000' })
    response.write('{"transactionStatus":"pending",')
    setTimeout(() => response.destroy(), 20)
  },
  'a hundred thousand lists in lists': send('application/json', '['.repeat(100_000) + ']'.repeat(100_000)),
  'fifty thousand elements in elements': send(
    'text/xml',
    `<ippayResponse><ActionCode>${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}</ActionCode></ippayResponse>`,
  ),
  'a receipt of such elements': send(
    'text/xml',
    `<response><receipt><Message>${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}</Message></receipt></response>`,
  ),
  'the word null': send('application/json', 'null'),
  'a redirect': (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  'entities that grow': send(
    'text/xml',
    '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><ippayResponse><ActionCode>&b;</ActionCode></ippayResponse>',
  ),
}

/** What the proxy before the stand-ins answers in their place, and to which calls; what was asked is done all the same. */
let hostile: { readonly calls: RegExp; readonly answer: (response: ServerResponse) => void } | null = null

const proxy = createServer((request, response) => {
  void (async () => {
    const body = await text(request)
    const { host: _host, 'content-length': _length, connection: _connection, ...headers } = request.headers
    const init = { method: request.method ?? 'GET', headers: headers as Record<string, string>, redirect: 'manual' as const }
    const answer = await fetch(`${fixture.sandbox.url}${request.url}`, body === '' ? init : { ...init, body })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (hostile?.calls.test(`${request.url} ${body}`)) return hostile.answer(response)
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(bytes)
  })()
})
await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
afterAll(() => void proxy.close())
const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`

test.each(PROVIDER_DRIVERS.filter(({ name }) => CHARGES[name] !== undefined))(
  '[PAY-01] type $type, $name: an empty, huge, broken or senseless answer is no outcome, to a charge or a look-up, and is found out',
  async (provider) => {
    const { name, type: payment_type, currency, settings } = provider
    const payer = await addPayingCustomer(fixture, { payment_type, currency, payment_raw_card: true })
    const { resellerId } = payer
    const account = { resellerId, provider: name, baseUrl: `${proxyUrl}/${name}`, settings: settings(resellerId) }
    await saveAccount(fixture.context, account)
    const problems: object[] = []
    for (const [what, answer] of Object.entries(ANSWERS)) {
      fixture.advanceToNow()
      fixture.context.advance(1_000)
      await provider.setClock?.(fixture.sandbox, fixture.context.clock())
      const invoice = await payer.invoice({ currency })
      const statusOf = async () => (await attemptsOf(fixture.context, invoice))[0]?.status
      const card = await provider.cardFields(await linkPageOf(fixture, payer, invoice))
      hostile = { calls: CHARGES[name] ?? /^$/, answer }
      const { body } = await payByLink(fixture, invoice, '', { cardToken: undefined, ...card })
      hostile = { calls: /./, answer }
      await runWorkerAfter(fixture, 3 * 60_000)
      const afterHostile = await statusOf()
      hostile = null
      await runWorkerAfter(fixture, 6 * 60_000)
      const end = [(JSON.parse(body) as { status: unknown }).status, afterHostile, await statusOf()]
      if (end.join() !== 'processing,unknown,succeeded') problems.push({ what, body, end })
    }
    expect(problems).toEqual([])
  },
)
