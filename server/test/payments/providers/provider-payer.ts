import { afterEach, expect, test } from 'vitest'
import type { Answer } from '../../support/http-client.ts'
import { attemptsOf, lastAttemptOf } from '../attempts-of.ts'
import { linkPageOf } from '../fault-injection/link-page.ts'
import { type CommandOutput, runPaymentsCommand } from '../payment-commands.ts'
import { addPayingCustomer, expectBalanced, payByLink, type PaymentsFixture, returnToNow, runWorkerAfter } from '../payments-fixture.ts'
import { usePaymentsFixture } from '../use-payments.ts'
import type { ApiProvider, ProviderDriver, TypedDetails } from './provider-driver.ts'
import { PROVIDER_DRIVERS } from './provider-drivers.ts'

const API_PROVIDERS = PROVIDER_DRIVERS.filter((driver): driver is ApiProvider => driver.api !== undefined)

/**
 * One test for each provider.
 * @param title with `$name`
 * @param lacks why a provider is left out, which its title then says
 */
export const testEach = (
  title: string,
  work: (driver: ApiProvider) => Promise<void>,
  lacks: (driver: ApiProvider) => string | undefined = () => undefined,
): void => {
  for (const driver of API_PROVIDERS) {
    const reason = lacks(driver)
    const named = title.replace('$name', driver.name)
    test.skipIf(reason !== undefined)(reason === undefined ? named : `${named} (left out: ${reason})`, () => work(driver))
  }
}

/** Why a test of debits leaves a provider out. */
export const lacksDebits = ({ store }: ProviderDriver): string | undefined => (store.bank === undefined ? 'it has no debits' : undefined)

export interface ConnectOptions {
  /** Other settings of the account. */
  readonly settings?: object
  /** Fields of the reseller. */
  readonly reseller?: Parameters<typeof addPayingCustomer>[1]
  /** Other options of the command. */
  readonly options?: Readonly<Record<string, string>>
}

/** Opens what the tests of providers over HTTP need. After each test both ledgers must agree. */
export const useProviderPayers = async () => {
  const fixture = await usePaymentsFixture()
  afterEach(() => expectBalanced(fixture))
  return { fixture, connect: (driver: ApiProvider, options?: ConnectOptions) => connectPayer(fixture, driver, options) }
}

/** A customer of a reseller with an account of its own at a provider's stand-in, and what the tests do as that customer. */
export type ProviderPayer = Awaited<ReturnType<typeof connectPayer>>

const connectPayer = async (
  fixture: PaymentsFixture,
  driver: ApiProvider,
  { settings = {}, reseller = {}, options = {} }: ConnectOptions = {},
) => {
  const { name, type, currency, adapter, api } = driver
  const { context, sandbox } = fixture
  const syncClock = async (): Promise<void> => driver.setClock?.(sandbox, context.clock())
  returnToNow(fixture)
  await syncClock()
  const payer = await addPayingCustomer(fixture, { payment_type: type, currency, ...reseller })
  const { resellerId } = payer
  const run = (command: string, args: string[] = [], more: object = {}, files: Record<string, string> = {}): Promise<CommandOutput> =>
    runPaymentsCommand(context, command, args, { json: true, ...more }, files)
  const set = (changed: object, more: object = {}): Promise<CommandOutput> =>
    run(
      'reseller payments set',
      [String(resellerId)],
      { type: name, credentials: '-', address: `${sandbox.url}/${name}`, ...more },
      { '-': JSON.stringify({ ...driver.settings(resellerId), ...changed }) },
    )
  const rawCard = adapter.provider.entry.accepts.some((kind) => kind === 'card' || kind === 'sealed') ? { rawCard: 'on' } : {}
  const connected = await set(settings, { ...rawCard, ...(await api.options?.(sandbox, resellerId)), ...options })
  expect(connected.json(), connected.err.join()).toMatchObject({ provider: name, type, hasCredentials: true })

  const attemptOf = (invoice: number) => lastAttemptOf(context, invoice)
  const settle = async (invoice: number, outcome: string): Promise<void> =>
    sandbox.settlePayment(name, (await attemptOf(invoice)).merchantReference, outcome)
  return {
    payer,
    run,
    /** Sets the account's settings with these changes, as an operator does. */
    set,
    attemptOf,
    /** Tells the stand-in's bank what becomes of the payment of an invoice. */
    settle,
    /** Tells the stand-in what to do wrong. */
    fault: (operation: string, kind: string, booked = true) => sandbox.fault({ provider: name, operation, kind, booked }),
    /** Stores a method; its id. */
    store: async (kind: 'card' | 'bank' = 'card', typed: TypedDetails = {}, change: object = {}): Promise<string> => {
      const answer = await driver.store[kind]?.(payer, sandbox, typed, change)
      expect(answer?.json(), answer?.body).toMatchObject({ status: 'succeeded' })
      return String(answer?.json().id)
    },
    list: async (kind: 'card' | 'bank' = 'card'): Promise<{ id: string; isDefault: boolean }[]> =>
      (await payer.me.get((kind === 'bank' ? api.paths.accounts : undefined) ?? api.paths.cards)).json(),
    /** An invoice over so many minor units. */
    invoice: (minor = 11_000): Promise<number> => {
      // A moment later, so that attempts can be told apart by their time.
      context.advance(1_000)
      return payer.invoice({ currency, net_minor: minor, amount_minor: minor, amount_due_minor: minor })
    },
    linkPage: (invoice: number) => linkPageOf(fixture, payer, invoice),
    /** What the page of an invoice's link sends of a card. */
    enter: async (invoice: number, typed?: TypedDetails) => driver.cardFields(await linkPageOf(fixture, payer, invoice), typed),
    payByLink: (invoice: number, entered: object, key?: string): Promise<Answer> =>
      payByLink(fixture, invoice, '', { cardToken: undefined, ...entered }, key === undefined ? {} : { 'idempotency-key': key }),
    payStored: async (cardId: string, invoice: number, paidAs = 'card'): Promise<Answer> =>
      payer.pay(await payer.intent(invoice), { cardId, type: paidAs }),
    /** What the stand-in has booked for an invoice: each status and amount. */
    bookedFor: async (invoice: number) => {
      const attempts = await attemptsOf(context, invoice)
      return (await Promise.all(attempts.map(({ merchantReference }) => sandbox.bookedOf(merchantReference)))).flat()
    },
    /** Closes the day on which the card of an invoice was charged, where that matters. */
    closeDay: async (invoice: number): Promise<void> => {
      if (driver.settlesCards === 'each') return settle(invoice, 'succeeded')
      if (driver.settlesCards !== undefined) await sandbox.post(driver.settlesCards, {})
    },
    workAfter: async (minutes: number): Promise<void> => {
      context.advance(minutes * 60_000)
      await syncClock()
      await runWorkerAfter(fixture, 0)
    },
    refund: async (invoice: number, more: object = {}) => run('payments refund', [(await attemptOf(invoice)).id], { yes: true, ...more }),
    test: () => run('reseller payments test', [String(resellerId)]),
  }
}
