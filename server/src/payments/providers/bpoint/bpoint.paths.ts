import type { MethodRow } from '../method.ts'
import { type BpointMethod, bpointMethods } from '@counterfoil/contract/providers/bpoint'
import type { MethodHandlers, MethodPaths } from '../method-paths.ts'
import type { CustomerRequestContext } from '../../../http/request-context.ts'
import { invalidInput } from '../../../kit/api-error.ts'
import { parseReceiptEmail } from '../payer-email.rules.ts'

/** The paths for cards and bank accounts that BPOINT stores. */
export const bpointPaths: MethodPaths = {
  pathFamily: 'bpoint',
  register: (route, methods) => {
    route(bpointMethods.bpointCards, async (request) => (await listBoth(methods, request)).map((row) => toBpointMethod(row)))
    route(bpointMethods.addBpointCard, (request, { body }) =>
      methods.store(request, { type: 'card', typedMethod: { kind: 'token', token: readAuthKey(body.authKeys) } }),
    )
    route(bpointMethods.removeBpointCard, async (request, { params }) => {
      const found = (await methods.list(request, 'bank')).some(({ id }) => id === params.id)
      await methods.remove(request, params.id, found ? 'bank' : 'card')
    })
    route(bpointMethods.makeBpointDefault, (request, { body }) => methods.makeDefault(request, body.id))
    route(bpointMethods.openBpointKey, async (request) => toKey(await methods.createCardForm(request)))
    // `crn1` is always ours: one of another customer's would hand the method over.
    route(bpointMethods.tokenizeBpointCard, async (request, { body }) =>
      toKey(await methods.createCardForm(request, { id: body.token, email: parseReceiptEmail(body.emailAddress?.trim()) })),
    )
  },
}

/** The customer's stored cards, then the bank accounts. */
const listBoth = async (methods: MethodHandlers, request: CustomerRequestContext): Promise<MethodRow[]> => [
  ...(await methods.list(request, 'card')),
  ...(await methods.list(request, 'bank')),
]

/**
 * The key of a request, where clients may send their one key in a list; empty for an empty list.
 * @throws ApiError 400 for more than one
 */
const readAuthKey = (authKeys: string | readonly string[]): string => {
  const [authKey = '', ...more] = typeof authKeys === 'string' ? [authKeys] : authKeys
  if (more.length > 0) throw invalidInput('body.authKeys', 'Store one payment method at a time.')
  return authKey
}

/** The key as the API shows it. */
const toKey = ({ authKey = '' }: Readonly<Record<string, string>>): { authKey: string } => ({ authKey })

/** The codes by which BPOINT names the brands of stored cards. */
const SCHEMES: Readonly<Record<string, string>> = {
  visa: 'VC',
  mastercard: 'MC',
  amex: 'AX',
  diners: 'DC',
  jcb: 'JC',
  unionpay: 'UP',
}

/** A stored card or bank account as the API shows it. Of an account's number the last four digits stand alone. */
const toBpointMethod = ({ id, isDefault, kind, type, details }: MethodRow): BpointMethod => {
  const both = { id, isDefault, type, accountHolderName: details.name ?? null }
  if (kind === 'bank')
    return { ...both, sourceType: 'ACH', bPointBankAccount: { bsb: details.bankCode ?? null, account: details.last4 ?? null } }
  return {
    ...both,
    sourceType: 'CC',
    bPointCard: {
      scheme: SCHEMES[details.brand ?? ''] ?? null,
      number: details.maskedNumber ?? null,
      expiryMonth: details.expMonth ?? null,
      expiryYear: details.expYear ?? null,
      name: details.name ?? null,
      emailAddress: details.email ?? null,
    },
  }
}
