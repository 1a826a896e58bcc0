import { shortHash } from '../store/digest.ts'
import type { Operation } from './operation.ts'
import { requestShape } from './shapes.ts'

const CARD_TYPES = ['Visa', 'MasterCard', 'AmericanExpress', 'Discover', 'JCB', 'DinersClub']

export const accountOperations: readonly Operation[] = [
  { name: 'authenticateTestRequest', shape: requestShape(), faultOperation: () => 'account', handle: () => ({}) },
  {
    name: 'getMerchantDetailsRequest',
    shape: requestShape(),
    faultOperation: () => 'account',
    handle: ({ session }) => ({
      isTestMode: session.isTestMode,
      processors: [{ name: 'First Data Nashville', id: 2, cardTypes: CARD_TYPES }],
      merchantName: `Sandbox ${session.account}`,
      gatewayId: String(Number.parseInt(shortHash(session.account, 6), 16)),
      marketTypes: ['eCommerce'],
      productCodes: ['CNP'],
      paymentMethods: [...CARD_TYPES, 'eCheck'],
      currencies: ['USD'],
      publicClientKey: shortHash(`client key of ${session.account}`, 64),
    }),
  },
]
