/** The direct debit types with their currencies. */
export const DEBIT_CURRENCIES = { au_becs_debit: 'aud', us_bank_account: 'usd', bacs_debit: 'gbp', sepa_debit: 'eur' } as const

export type DebitType = keyof typeof DEBIT_CURRENCIES

export const isDebit = (type: string): type is DebitType => Object.hasOwn(DEBIT_CURRENCIES, type)

/** How a test account behaves. */
export interface TestAccount {
  /** The failure code of a debit that fails. */
  readonly failure?: string
  /** The debit fails at confirmation instead of waiting. */
  readonly failsImmediately?: boolean
  /** A failed debit deactivates the mandate. */
  readonly endsMandate?: boolean
  /** The bank rejects the mandate after the account was saved. */
  readonly rejectsMandate?: boolean
  /** Saving the account fails. */
  readonly failsSetup?: boolean
  /** The customer disputes each debit that succeeded. */
  readonly isDisputed?: boolean
  /** The microdeposits do not arrive. */
  readonly noMicrodeposits?: boolean
}

const SOURCE_LIMIT: TestAccount = { failure: 'charge_exceeds_source_limit', failsImmediately: true }
const TRANSACTION_LIMIT: TestAccount = { failure: 'charge_exceeds_transaction_limit', failsImmediately: true }
const NOT_AUTHORIZED: TestAccount = { failure: 'debit_not_authorized', endsMandate: true }

const TEST_ACCOUNTS: Readonly<Record<DebitType, Readonly<Record<string, TestAccount>>>> = {
  au_becs_debit: {
    '111111113': { failure: 'account_closed', endsMandate: true },
    '111111116': { failure: 'no_account', endsMandate: true },
    '222222227': { failure: 'refer_to_customer' },
    '922222227': { failure: 'refer_to_customer' },
    '333333335': NOT_AUTHORIZED,
    '666666660': { isDisputed: true },
    '343434343': SOURCE_LIMIT,
    '121212121': TRANSACTION_LIMIT,
  },
  us_bank_account: {
    '000111111113': { failure: 'account_closed', endsMandate: true },
    '000000004954': { failure: 'card_declined', failsImmediately: true },
    '000111111116': { failure: 'no_account', endsMandate: true },
    '000222222227': { failure: 'insufficient_funds' },
    '000333333335': NOT_AUTHORIZED,
    '000444444440': { failure: 'invalid_currency' },
    '000666666661': { noMicrodeposits: true },
    '000555555559': { isDisputed: true },
    '000777777771': SOURCE_LIMIT,
    '000888888885': { failure: 'tokenized_account_number_deactivated' },
  },
  bacs_debit: {
    '33333335': NOT_AUTHORIZED,
    '93333335': NOT_AUTHORIZED,
    '22222227': { failure: 'insufficient_funds' },
    '92222227': { failure: 'insufficient_funds' },
    '55555559': { isDisputed: true },
    '00033333': { rejectsMandate: true },
    '00044444': { failsSetup: true },
    '34343434': SOURCE_LIMIT,
    '12121212': TRANSACTION_LIMIT,
  },
  sepa_debit: {
    AT861904300235473202: { failure: 'generic_could_not_process' },
    AT051904300235473205: { failure: 'generic_could_not_process' },
    AT591904300235473203: { isDisputed: true },
    AT981904300000343434: SOURCE_LIMIT,
    AT601904300000121212: TRANSACTION_LIMIT,
    AT981904300002222227: { failure: 'insufficient_funds' },
  },
}

/** How the test account of that number behaves; an empty object, a success, for any other number. */
export const testAccount = (type: DebitType, number: string): TestAccount => TEST_ACCOUNTS[type][number] ?? {}

const SUCCESSFUL_NUMBERS: Readonly<Record<DebitType, readonly string[]>> = {
  au_becs_debit: ['000123456', '900123456'],
  us_bank_account: ['000123456789', '000000000009'],
  bacs_debit: ['00012345', '90012345'],
  sepa_debit: ['AT611904300234573201', 'AT321904300235473204'],
}

/** Whether Stripe documents that number for tests. */
export const isTestAccount = (type: DebitType, number: string): boolean =>
  Object.hasOwn(TEST_ACCOUNTS[type], number) || SUCCESSFUL_NUMBERS[type].includes(number)

/** Stripe's predefined bank accounts: type and account number. */
export const PRESET_ACCOUNTS: Readonly<Record<string, readonly [DebitType, string]>> = {
  pm_auBecsDebit_success: ['au_becs_debit', '000123456'],
  pm_auBecsDebit_accountClosed: ['au_becs_debit', '111111113'],
  pm_auBecsDebit_noAccount: ['au_becs_debit', '111111116'],
  pm_usBankAccount: ['us_bank_account', '000123456789'],
  pm_usBankAccount_success: ['us_bank_account', '000123456789'],
  pm_usBankAccount_accountClosed: ['us_bank_account', '000111111113'],
  pm_usBankAccount_noAccount: ['us_bank_account', '000111111116'],
  pm_usBankAccount_insufficientFunds: ['us_bank_account', '000222222227'],
  pm_usBankAccount_debitNotAuthorized: ['us_bank_account', '000333333335'],
  pm_usBankAccount_processing: ['us_bank_account', '000000000009'],
  pm_usBankAccount_dispute: ['us_bank_account', '000555555559'],
  pm_bacsDebit_success: ['bacs_debit', '00012345'],
  pm_bacsDebit_debitNotAuthorized: ['bacs_debit', '33333335'],
  pm_bacsDebit_insufficientFunds: ['bacs_debit', '22222227'],
  pm_bacsDebit_dispute: ['bacs_debit', '55555559'],
}

/** The routing numbers of the predefined accounts. */
export const PRESET_ROUTING_NUMBERS: Readonly<Record<DebitType, string>> = {
  au_becs_debit: '000000',
  us_bank_account: '110000000',
  bacs_debit: '108800',
  sepa_debit: '',
}
