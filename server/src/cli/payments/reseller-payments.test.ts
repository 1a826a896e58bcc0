import { expect, test } from 'vitest'
import type { Options } from '../command.ts'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import { usePaymentsFixture } from '../../../test/payments/use-payments.ts'
import { addReseller, queryAsAdministrator } from '../../../test/support/people.ts'

const fixture = await usePaymentsFixture()
const resellerId = await addReseller(fixture.context, { name: 'Fresh' })

const SECRETS = [
  'sk_test_fresh_desk',
  'whsec_first_secret',
  'whsec_second_secret',
  'whsec_third_secret',
  'sk_live_invalid_key',
  'sk_test_fresh_other',
  'sk_test_stranger_desk',
]
const everything: string[] = []

const run = async (command: string, options: Options = {}, files: Record<string, string> = {}, name = 'Fresh') => {
  const said = await runPaymentsCommand(fixture.context, `reseller payments ${command}`, [name], options, files)
  everything.push(...said.out, ...said.err)
  return said
}

test('[OPS-03] [PAY-01] a reseller is connected, tested, and given fee rules; what is not named stays', async () => {
  const address = `${fixture.sandbox.url}/stripe`
  const files = { '-': JSON.stringify({ secretKey: SECRETS[0], webhookSecrets: [SECRETS[1]] }) }
  const first = await run(
    'set',
    { type: 'stripe', credentials: '-', address, payments: 'on', debit: '1', fee: ['card:AUD:1.5:0.30', 'debit:JPY:0:25'], json: true },
    files,
  )
  const stands = {
    provider: 'stripe',
    type: 1,
    isEnabled: true,
    isBulk: false,
    address,
    debitId: 1,
    hasCredentials: true,
    webhookSecrets: 1,
    fees: expect.arrayContaining([
      { line: 'CREDIT_CARD_FEE', currency: 'AUD', percent: '1.5', fixed: '0.30' },
      { line: 'DIRECT_DEBIT_FEE', currency: 'JPY', percent: '0', fixed: '25' },
    ]),
  }
  expect(first.json(), first.err.join()).toMatchObject(stands)
  expect((await run('test', { json: true })).json()).toMatchObject({
    provider: 'stripe',
    canCharge: true,
    account: expect.stringMatching(/^acct_/),
  })
  expect((await run('test')).out.join('\n')).toMatch(/^stripe knows the account acct_\w+ \((Australia|United States)\)\./)
  expect((await run('set', { bulk: 'on', fee: ['debit:JPY:0:0'], json: true })).json()).toMatchObject({
    ...stands,
    isBulk: true,
    fees: [{ line: 'CREDIT_CARD_FEE', currency: 'AUD' }],
  })
  expect((await run('set')).out.join('\n')).toContain(`/hooks/stripe/${resellerId}`)
})

test('[OPS-03] two webhook secrets are accepted while one replaces the other', async () => {
  expect((await run('rotate-secret', { webhookSecretFile: 's', json: true }, { s: `${SECRETS[2]}\n` })).json()).toEqual({
    provider: 'stripe',
    webhookSecrets: 2,
  })
  expect((await run('rotate-secret', { webhookSecretFile: 's', json: true }, { s: SECRETS[2] ?? '' })).json()).toMatchObject({
    webhookSecrets: 2,
  })
  expect((await run('rotate-secret', { dropOld: true, json: true })).json()).toMatchObject({ webhookSecrets: 1 })
  for (const [options, files, words] of [
    [{}, {}, 'Say either'],
    [{ dropOld: true, webhookSecretFile: 's' }, { s: SECRETS[3] ?? '' }, 'Say either'],
    [{ webhookSecretFile: 's' }, { s: ' \n' }, 'empty'],
    [{ webhookSecretFile: 's' }, { s: 'no webhook secret' }, 'not usable'],
    [{ webhookSecretFile: 'missing' }, {}, 'There is no file missing.'],
  ] as const) {
    const refused = await run('rotate-secret', options, files)
    expect([refused.code, refused.err.join()]).toEqual([1, expect.stringContaining(words)])
  }
})

test('[OPS-03] invalid values are refused with a message and change nothing', async () => {
  const before = (await run('set', { json: true })).json()
  for (const [options, text, words] of [
    [{ type: 'bitcoin' }, '', 'There is no payment provider "bitcoin" here'],
    [{ payments: 'maybe' }, '', 'on or off'],
    [{ debit: '7' }, '', '--debit is none'],
    [{ rawCard: 'on', bulk: 'off' }, '', 'never reach this server'],
    [{ rawCard: 'perhaps' }, '', 'on or off'],
    [{ publishableKey: 'sk_test_of_mine' }, '', 'A secret one is given by a file'],
    [{ fee: ['card:AUD:101:0'] }, '', 'more than 100 percent'],
    [{ fee: ['card:JPY:1:0.5'] }, '', 'JPY has 0 decimals'],
    [{ type: 'moneris', fee: ['card:CAD:1:0.30'] }, '', 'only type 1 adds them'],
    [{ type: 'none', fee: ['card:CAD:1:0.30'] }, '', 'only type 1 adds them'],
    [{ fee: ['cheque:AUD:1:0'] }, '', 'write it as in'],
    [{ credentials: 'c' }, '{ "secretKey": "sk_test_fresh_desk"', 'one JSON object'],
    [{ credentials: 'c' }, '{ "secretKey": "hunter2" }', 'secretKey'],
    [{ credentials: 'c' }, '{ "secretKey": "sk_test_fresh_desk", "more": 1 }', 'not usable'],
    [{ address: 'http://api.example.com' }, '', 'only over https'],
    [{ address: 'nonsense' }, '', 'write it as in'],
    [{ address: 'https://api.stripe.com', bulk: 'off' }, '', fixture.context.store.kind === 'embedded' ? 'PostgreSQL server' : ''],
  ] as const) {
    if (words === '') continue
    const refused = await run('set', options, { c: text })
    expect([refused.code, refused.err.join()]).toEqual([1, expect.stringContaining(words)])
    expect(refused.err.join()).not.toContain('hunter2')
  }
  expect((await run('set', { json: true })).json()).toEqual(before)
  expect((await run('set', { rawCard: 'off', json: true })).json()).toEqual(before)
  expect((await run('set', {}, {}, 'Nobody')).err).toEqual(['There is no reseller named Nobody.'])
})

test('[OPS-03] a refused key and a provider that does not answer are reported, with exit code 1', async () => {
  await fixture.sandbox.fault({ operation: 'account', kind: 'drop' })
  const silent = await run('test')
  expect([silent.code, silent.err.join()]).toEqual([1, expect.stringContaining('cannot be asked')])
})

test('[OPS-03] [PAY-01] whose account a key is of is asked, never guessed: the same one keeps what it has, another one begins anew', async () => {
  const setKey = (secretKey: string, more: Options = {}) =>
    run('set', { credentials: 'c', json: true, ...more }, { c: JSON.stringify({ secretKey, webhookSecrets: [SECRETS[1]] }) })
  const accounts = () =>
    queryAsAdministrator<{ identity: string | null; isInUse: boolean }>(
      fixture.context,
      'select identity, replaced_at is null as "isInUse" from payment_account where reseller_id = $1 order by id',
      [resellerId],
    )
  const before = await accounts()
  expect(before).toMatchObject([{ identity: expect.stringMatching(/^acct_\w+ test$/), isInUse: true }])
  const wrong = await setKey(SECRETS[4] ?? '')
  expect([wrong.code, wrong.err.join()]).toEqual([1, expect.stringContaining('Stripe refuses the secret key. Nothing was changed.')])
  await fixture.sandbox.fault({ operation: 'account', kind: 'drop' })
  const silent = await setKey(SECRETS[5] ?? '')
  expect([silent.code, silent.err.join()]).toEqual([1, expect.stringContaining('--account-is same')])
  expect((await setKey(SECRETS[5] ?? '', { accountIs: 'mine' })).err.join()).toContain('--account-is is same or another')
  expect((await setKey(SECRETS[5] ?? '', { accountIs: 'another' })).err.join()).toContain('are of an account that is known here')
  expect(await accounts()).toEqual(before)
  expect((await setKey(SECRETS[5] ?? '')).json()).toMatchObject({ formerAccounts: [] })
  expect(await accounts()).toEqual(before)
  expect((await setKey(SECRETS[6] ?? '', { accountIs: 'same' })).err.join()).toContain('are of another account')
  expect((await setKey(SECRETS[6] ?? '')).json()).toMatchObject({
    left: { provider: 'stripe', livePayments: 0, storedMethods: 0 },
    formerAccounts: [{ provider: 'stripe', identity: before[0]?.identity, livePayments: 0 }],
  })
  expect(await accounts()).toMatchObject([{ isInUse: false }, { identity: expect.stringMatching(/^acct_\w+ test$/), isInUse: true }])
  expect((await run('set')).out.join('\n')).toMatch(/former {7}account \d+ \(stripe acct_\w+ test\), replaced .*: 0 payments not final/)
  await setKey(SECRETS[0] ?? '')
  expect(await accounts()).toMatchObject([{ isInUse: true }, { isInUse: false }])
})

test('[OPS-03] no secret was printed, and each change is in the audit log', async () => {
  const audit = await queryAsAdministrator<{ action: string; text: string }>(
    fixture.context,
    'select action, e::text as text from audit_entry e where reseller_id = $1 order by seq',
    [resellerId],
  )
  expect(audit.map(({ action }) => action)).toEqual([
    'payments.account-changed',
    'payments.account-tested',
    'payments.account-tested',
    ...Array.from({ length: 8 }, () => 'payments.account-changed'),
  ])
  const accounts = await queryAsAdministrator<{ text: string }>(fixture.context, 'select a::text as text from payment_account a')
  const all = [...everything, ...audit.map(({ text }) => text), ...accounts.map(({ text }) => text)].join('\n')
  for (const secret of SECRETS) expect(all).not.toContain(secret)
})

test('[OPS-03] [EASE-03] the days after which the money of debits is expected are set, shown, checked and left to the provider again', async () => {
  const setDays = (debitDays: unknown) => run('set', { credentials: '-', json: true }, { '-': JSON.stringify({ debitDays }) })
  expect((await run('set', { json: true })).json()).toMatchObject({ debitId: 1, debitDays: 3 })
  expect((await setDays(10)).json()).toMatchObject({ debitDays: 10, hasCredentials: true })
  expect((await run('set')).out.join('\n')).toContain('kind 1, its money expected after 10 banking days')
  for (const wrong of [-1, 61, 1.5, '3', true]) expect((await setDays(wrong)).err.join()).toContain('The settings of stripe are not usable')
  expect((await run('set', { debit: '4', json: true })).json()).toMatchObject({ debitDays: 10 })
  expect((await setDays(null)).json()).toMatchObject({ debitDays: 8 })
  expect((await run('set', { debit: 'none', json: true })).json()).toMatchObject({ debitDays: null })
  // What an account cannot do without is not forgotten.
  expect((await run('set', { credentials: '-' }, { '-': '{"secretKey":null}' })).err.join()).toContain(
    'The settings of stripe are not usable',
  )
  await run('set', { debit: '1' })
})

test('[OPS-03] a mistake in the keys of a provider is told in words, all at once, and repeats none of them', async () => {
  const wrong = { secretKey: 'pk_live_oops_1234567', webhookSecrets: ['sec_1'], publicKey: 'pk_live_oops_7654321' }
  const { err } = await run('set', { credentials: '-' }, { '-': JSON.stringify(wrong) })
  expect(err).toEqual([
    'The settings of stripe are not usable: secretKey is not a secret key, which begins with sk_ or rk_; webhookSecrets is not a list of at most two signing secrets, which begin with whsec_; publicKey is none of them (secretKey, webhookSecrets, debitDays).',
  ])
})
