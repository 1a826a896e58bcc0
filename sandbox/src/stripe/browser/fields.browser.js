/** The fields of each element, their formats and their validation. */

const digits = (text) => text.replaceAll(/\D/g, '')

const BRANDS = [
  ['amex', /^3[47]/, 15],
  ['diners', /^3(?:0|6|8|9)/, 16],
  ['jcb', /^35/, 16],
  ['visa', /^4/, 16],
  ['mastercard', /^(?:5[1-5]|2[2-7])/, 16],
  ['discover', /^(?:6011|64|65)/, 16],
  ['unionpay', /^62/, 16],
]
const brandOf = (number) => BRANDS.find(([, rule]) => rule.test(digits(number)))?.[0] ?? 'unknown'
const lengthOf = (number) => (digits(number).startsWith('36') ? 14 : (BRANDS.find(([brand]) => brand === brandOf(number))?.[2] ?? 16))
const cvcLength = (number) => (brandOf(number) === 'amex' ? 4 : 3)

const isLuhn = (number) =>
  [...number].toReversed().reduce((sum, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return sum + (doubled > 9 ? doubled - 9 : doubled)
  }, 0) %
    10 ===
  0

const inGroups = (text, isAmex) =>
  isAmex ? [text.slice(0, 4), text.slice(4, 10), text.slice(10)].filter(Boolean).join(' ') : (text.match(/.{1,4}/g) ?? []).join(' ')

/** `MM / YY`; the separator is not added again while the user deletes. */
const expiryText = (text, isDeleting) => {
  const typedDigits = digits(text)
  const padded = /^[2-9]/.test(typedDigits) ? `0${typedDigits}` : typedDigits
  const year = padded.length >= 6 ? padded.slice(4, 6) : padded.slice(2, 4)
  if (padded.length < 2 || (padded.length === 2 && isDeleting)) return padded
  return `${padded.slice(0, 2)} / ${year}`
}

const error = (code, message) => ({ type: 'validation_error', code, message })

const NUMBER = {
  name: 'cardnumber',
  label: 'Credit or debit card number',
  placeholder: 'Card number',
  autocomplete: 'cc-number',
  inputMode: 'numeric',
  format: (text) => inGroups(digits(text).slice(0, lengthOf(text)), brandOf(text) === 'amex'),
  isFull: (text) => digits(text).length === lengthOf(text) && isLuhn(digits(text)),
  check: (text) => {
    if (digits(text).length < lengthOf(text)) return [error('incomplete_number', 'Your card number is incomplete.'), 'later']
    return isLuhn(digits(text)) ? undefined : [error('invalid_number', 'Your card number is invalid.'), 'now']
  },
}

const EXPIRY = {
  name: 'exp-date',
  label: 'Credit or debit card expiration date',
  placeholder: 'MM / YY',
  autocomplete: 'cc-exp',
  inputMode: 'numeric',
  format: expiryText,
  isFull: (text) => digits(text).length === 4 && EXPIRY.check(text) === undefined,
  check: (text) => {
    const [month, year] = [Number(digits(text).slice(0, 2)), 2000 + Number(digits(text).slice(2, 4))]
    if (digits(text).length < 4) return [error('incomplete_expiry', "Your card's expiration date is incomplete."), 'later']
    const today = new Date()
    if (month < 1 || month > 12) return [error('invalid_expiry_month', "Your card's expiration date is invalid."), 'now']
    if (year < today.getFullYear()) return [error('invalid_expiry_year_past', "Your card's expiration year is in the past."), 'now']
    if (year > today.getFullYear() + 50) return [error('invalid_expiry_year', "Your card's expiration year is invalid."), 'now']
    if (year === today.getFullYear() && month < today.getMonth() + 1)
      return [error('invalid_expiry_month_past', "Your card's expiration date is in the past."), 'now']
    return undefined
  },
}

const CVC = {
  name: 'cvc',
  label: 'Credit or debit card CVC/CVV',
  placeholder: 'CVC',
  autocomplete: 'cc-csc',
  inputMode: 'numeric',
  format: (text) => digits(text).slice(0, 4),
  isFull: (text) => digits(text).length === 4,
  check: (text, { cardnumber = '' }) =>
    digits(text).length < (cardnumber === '' ? 3 : cvcLength(cardnumber))
      ? [error('incomplete_cvc', "Your card's security code is incomplete."), 'later']
      : undefined,
}

const POSTAL = {
  name: 'postal',
  label: 'ZIP',
  placeholder: 'ZIP',
  autocomplete: 'billing postal-code',
  inputMode: 'text',
  format: (text) => text.slice(0, 10),
  isFull: () => false,
  check: (text) => (text.trim().length < 3 ? [error('incomplete_zip', 'Your postal code is incomplete.'), 'later'] : undefined),
}

const SEPA = 'AD AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MT NL NO PL PT RO SE SI SK SM VA'.split(' ')
const bareIban = (text) => text.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase()
const isIban = (iban) => {
  const number = [...iban.slice(4), ...iban.slice(0, 4)].map((sign) => String(Number.parseInt(sign, 36))).join('')
  return BigInt(number) % 97n === 1n
}

const IBAN = {
  name: 'iban',
  label: 'IBAN',
  placeholder: 'IBAN',
  autocomplete: 'off',
  inputMode: 'text',
  format: (text) => inGroups(bareIban(text).slice(0, 34), false),
  isFull: () => false,
  check: (text, _, { supportedCountries = [] }) => {
    const iban = bareIban(text)
    const countries = supportedCountries.flatMap((name) => (name === 'SEPA' ? SEPA : [name]))
    if (iban.length >= 2 && countries.length > 0 && !countries.includes(iban.slice(0, 2)))
      return [
        error('invalid_iban_country_code', `The IBAN you entered is invalid, "${iban.slice(0, 2)}" is not a supported country code.`),
        'now',
      ]
    if (iban.length < 15) return [error('incomplete_iban', 'The IBAN you entered is incomplete.'), 'later']
    return isIban(iban) ? undefined : [error('invalid_iban', 'The IBAN you entered is invalid.'), 'later']
  },
}

const BSB = {
  name: 'bsb',
  label: 'BSB',
  placeholder: 'BSB',
  autocomplete: 'off',
  inputMode: 'numeric',
  format: (text) => [digits(text).slice(0, 3), digits(text).slice(3, 6)].filter(Boolean).join('-'),
  isFull: (text) => digits(text).length === 6,
  check: (text) => (digits(text).length < 6 ? [error('incomplete_bsb', 'The BSB you entered is incomplete.'), 'later'] : undefined),
}

const ACCOUNT = {
  name: 'accountNumber',
  label: 'Account number',
  placeholder: 'Account number',
  autocomplete: 'off',
  inputMode: 'numeric',
  format: (text) => digits(text).slice(0, 9),
  isFull: () => false,
  check: (text) =>
    digits(text).length < 5 ? [error('incomplete_account_number', 'The account number you entered is incomplete.'), 'later'] : undefined,
}

/** The fields of each element type, in order. */
export const FIELDS = {
  card: [NUMBER, EXPIRY, CVC, POSTAL],
  cardNumber: [{ ...NUMBER, placeholder: '1234 1234 1234 1234' }],
  cardExpiry: [EXPIRY],
  cardCvc: [CVC],
  iban: [IBAN],
  auBankAccount: [BSB, ACCOUNT],
}

/** The detail of an element's `change` event, the error that makes it incomplete, and its invalid fields. */
export const validate = (type, values, { touched, options }) => {
  const fields = FIELDS[type].filter(({ name }) => name in values)
  const isEmpty = (name) => values[name].trim() === ''
  const faults = fields
    .map(({ name, check }) => ({ name, fault: check(values[name], values, options) }))
    .filter(({ fault }) => fault !== undefined)
  const visibleFaults = faults.filter(({ name, fault: [, when] }) => !isEmpty(name) && (when === 'now' || touched.has(name)))
  return {
    empty: fields.every(({ name }) => isEmpty(name)),
    complete: faults.length === 0,
    error: visibleFaults[0]?.fault[0],
    incomplete: faults[0]?.fault[0],
    invalidFields: visibleFaults.map(({ name }) => name),
    ...eventDetail(type, values),
  }
}

const eventDetail = (type, values) => {
  if (type === 'card') return { brand: brandOf(values.cardnumber), value: { postalCode: values.postal ?? '' } }
  if (type === 'cardNumber') return { brand: brandOf(values.cardnumber) }
  if (type === 'iban') return { country: bareIban(values.iban).slice(0, 2), bankName: '' }
  return type === 'auBankAccount' ? { bankName: digits(values.bsb).startsWith('000') ? 'Stripe Test Bank' : '', branchName: '' } : {}
}

/** What was typed, as API parameters. */
export const valuesOf = (type, read) =>
  FIELDS[type].flatMap(({ name }) => {
    const text = read(name)
    if (text === '') return []
    if (name === 'cardnumber') return [['card[number]', digits(text)]]
    if (name === 'exp-date')
      return [
        ['card[exp_month]', digits(text).slice(0, 2)],
        ['card[exp_year]', digits(text).slice(2)],
      ]
    if (name === 'cvc') return [['card[cvc]', digits(text)]]
    if (name === 'postal') return [['billing_details[address][postal_code]', text]]
    if (name === 'iban') return [['sepa_debit[iban]', bareIban(text)]]
    return name === 'bsb' ? [['au_becs_debit[bsb_number]', digits(text)]] : [['au_becs_debit[account_number]', digits(text)]]
  })
