import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACCOUNT, CARD, startTestAuthorize, type TestAuthorize } from '../test/test-authorize.ts'

let authorize: TestAuthorize

beforeAll(async () => {
  authorize = await startTestAuthorize()
})
afterAll(async () => {
  await authorize.stop()
})

const BILL_TO = { firstName: 'Ann', lastName: 'Smith', zip: '98004' }
const number = (cardNumber: string) => ({ creditCard: { cardNumber, expirationDate: '2040-12' } })

let customers = 0
const createCustomer = async (payment: object = CARD, more: object = {}, billTo: object = BILL_TO) =>
  authorize.call('createCustomerProfileRequest', {
    profile: {
      merchantCustomerId: `c-${(customers += 1)}`,
      email: 'ann@example.com',
      paymentProfiles: { customerType: 'individual', billTo, payment },
    },
    ...more,
  })
const addMethod = async (customerProfileId: string, payment: object, more: object = {}, billTo: object = BILL_TO) =>
  authorize.call('createCustomerPaymentProfileRequest', { customerProfileId, paymentProfile: { billTo, payment }, ...more })
const readCustomer = async (customerProfileId: string) =>
  (await authorize.call('getCustomerProfileRequest', { customerProfileId, unmaskExpirationDate: true })).profile
const codeOf = ({ messages }: { messages: { message: { code: string }[] } }) => messages.message[0]?.code

test('a customer without any name is rejected, and the same one twice is a duplicate', async () => {
  expect(await authorize.call('createCustomerProfileRequest', { profile: {} })).toMatchObject({
    messages: { message: [{ code: 'E00041', text: 'One or more fields in the profile must contain a value.' }] },
  })
  const profile = { merchantCustomerId: 'twice', email: 'a@example.com' }
  const { customerProfileId } = await authorize.call('createCustomerProfileRequest', { profile })
  expect((await readCustomer(customerProfileId)).paymentProfiles).toBeUndefined()
  expect(await authorize.call('createCustomerProfileRequest', { profile })).toMatchObject({
    customerPaymentProfileIdList: [],
    messages: {
      resultCode: 'Error',
      message: [{ code: 'E00039', text: `A duplicate record with ID ${customerProfileId} already exists.` }],
    },
  })
})

test('test mode checks the numbers and declines nothing; none checks nothing', async () => {
  const { customerProfileId } = await createCustomer()
  const mode = async (validationMode: string, payment: object, zip: string) =>
    addMethod(customerProfileId, payment, { validationMode }, { zip })
  expect(await mode('testMode', CARD, '46282')).toMatchObject({
    validationDirectResponse: expect.stringMatching(/^1,1,1,\(TESTMODE\) This transaction has been approved\.,000000,P,0,/),
  })
  expect(await mode('testMode', number('4111111111111112'), '1')).toMatchObject({
    messages: { message: [{ code: 'E00027', text: 'The credit card number is invalid.' }] },
  })
  expect(codeOf(await mode('none', number('4111111111111112'), '2'))).toBe('I00001')
})

test('a bank account is stored and shown masked; its name has at most 22 letters', async () => {
  const { customerProfileId } = await createCustomer(ACCOUNT)
  expect((await readCustomer(customerProfileId)).paymentProfiles[0].payment).toEqual({
    bankAccount: {
      accountType: 'checking',
      routingNumber: 'XXXX2882',
      accountNumber: 'XXXX6789',
      nameOnAccount: 'Ann Smith',
      echeckType: 'WEB',
      bankName: 'First Bank',
    },
  })
  const tooLong = { bankAccount: { ...ACCOUNT.bankAccount, nameOnAccount: 'x'.repeat(23) } }
  expect(codeOf(await addMethod(customerProfileId, tooLong))).toBe('E00003')
})

test('one method is the default', async () => {
  const { customerProfileId } = await createCustomer()
  const first = await authorize.call('createCustomerPaymentProfileRequest', {
    customerProfileId,
    paymentProfile: { payment: number('5424000000000015'), defaultPaymentProfile: true },
  })
  const second = await authorize.call('createCustomerPaymentProfileRequest', {
    customerProfileId,
    paymentProfile: { payment: number('370000000000002'), defaultPaymentProfile: true },
  })
  expect([first, second].map(codeOf)).toEqual(['I00001', 'I00001'])
  const { paymentProfiles } = await readCustomer(customerProfileId)
  expect(paymentProfiles.map((profile: { defaultPaymentProfile?: boolean }) => profile.defaultPaymentProfile)).toEqual([
    undefined,
    undefined,
    true,
  ])
})

test('a method is removed, and another customer’s method is out of reach', async () => {
  const [mine, other] = [await createCustomer(), await createCustomer()]
  const ids = { customerProfileId: mine.customerProfileId, customerPaymentProfileId: mine.customerPaymentProfileIdList[0] }
  const stolen = { ...ids, customerProfileId: other.customerProfileId }
  expect(codeOf(await authorize.call('deleteCustomerPaymentProfileRequest', stolen))).toBe('E00040')
  expect(codeOf(await authorize.call('getCustomerPaymentProfileRequest', stolen))).toBe('E00040')
  expect(codeOf(await authorize.call('deleteCustomerPaymentProfileRequest', ids))).toBe('I00001')
  expect(codeOf(await authorize.call('deleteCustomerPaymentProfileRequest', ids))).toBe('E00040')
})

test('a stored method is validated, with its card code', async () => {
  const { customerProfileId, customerPaymentProfileIdList } = await createCustomer()
  const { directResponse } = await authorize.call('validateCustomerPaymentProfileRequest', {
    customerProfileId,
    customerPaymentProfileId: customerPaymentProfileIdList[0],
    cardCode: '901',
    validationMode: 'liveMode',
  })
  expect(directResponse.split(',')[38]).toBe('N')
})

test('a payment with a stored method shows the profile, its address and its customer, and is listed for the customer', async () => {
  const { customerProfileId, customerPaymentProfileIdList } = await createCustomer()
  const paymentProfile = { paymentProfileId: customerPaymentProfileIdList[0], cardCode: '900' }
  const pay = async (more: object = {}, before: object = {}) =>
    authorize.transact({
      transactionType: 'authCaptureTransaction',
      amount: '7.00',
      ...before,
      profile: { customerProfileId, paymentProfile },
      ...more,
    })
  const { transactionResponse } = await pay({ order: { invoiceNumber: 'att-5' } })
  const profile = { customerProfileId, customerPaymentProfileId: customerPaymentProfileIdList[0] }
  expect(transactionResponse).toMatchObject({ responseCode: '1', cvvResultCode: 'M', profile })
  expect(await authorize.lookUp(transactionResponse.transId)).toMatchObject({
    profile,
    billTo: BILL_TO,
    customer: { id: `c-${customers}`, email: 'ann@example.com' },
  })
  const { transactions } = await authorize.call('getTransactionListForCustomerRequest', { customerProfileId })
  expect(transactions).toMatchObject([{ transId: transactionResponse.transId, invoiceNumber: 'att-5', profile }])
  expect(codeOf(await pay({}, { payment: CARD }))).toBe('E00090')
  expect(codeOf(await pay({ billTo: BILL_TO }))).toBe('E00093')
  const missing = await authorize.transact({
    transactionType: 'authCaptureTransaction',
    amount: '7.00',
    profile: { customerProfileId, paymentProfile: { paymentProfileId: '1' } },
  })
  expect(missing.messages.message).toEqual([{ code: 'E00040', text: 'Customer Profile ID or Customer Payment Profile ID not found.' }])
})

test('customers are changed, listed and removed with their methods', async () => {
  const { customerProfileId, customerPaymentProfileIdList } = await createCustomer()
  await authorize.call('updateCustomerProfileRequest', { profile: { merchantCustomerId: 'new-name', customerProfileId } })
  expect(await readCustomer(customerProfileId)).toMatchObject({ merchantCustomerId: 'new-name' })
  expect((await authorize.call('getCustomerProfileIdsRequest')).ids).toContain(customerProfileId)
  await authorize.call('deleteCustomerProfileRequest', { customerProfileId })
  expect(codeOf(await authorize.call('deleteCustomerProfileRequest', { customerProfileId }))).toBe('E00040')
  const ids = { customerProfileId, customerPaymentProfileId: customerPaymentProfileIdList[0] }
  expect(codeOf(await authorize.call('getCustomerPaymentProfileRequest', ids))).toBe('E00040')
})
