import { constants, createPublicKey, publicEncrypt } from 'node:crypto'
import { SealedText } from '../../src/kit/sealed-text.ts'
import type { TypedMethod, NewMethod } from '../../src/payments/providers/method.ts'
import type { TestSandbox } from './sandbox.ts'

/** Cards of the sandbox's Nexio. */
export const NEXIO_CARDS = { good: '4111111111111111', authenticating: '4000000000003220' }

/** Encrypts digits as a browser does for the sandbox's Nexio. */
export const encryptForNexio = async ({ url }: Pick<TestSandbox, 'url'>, digits: string): Promise<string> => {
  const spki = await (await fetch(`${url}/nexio/public-key`)).text()
  const key = createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' })
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(digits)).toString('base64')
}

/** A card as the browser sends it. */
export const sealedCard = async (sandbox: Pick<TestSandbox, 'url'>, number: string, more: { code?: string; expYear?: number } = {}) =>
  ({
    kind: 'sealed',
    sealed: {
      encryptedNumber: await encryptForNexio(sandbox, number),
      firstSix: number.slice(0, 6),
      last4: number.slice(-4),
      brand: 'visa',
      expMonth: 12,
      expYear: more.expYear ?? 2031,
      securityCode: new SealedText(more.code ?? '123'),
    },
  }) as const satisfies TypedMethod

/** A bank account as the browser sends it. */
export const sealedAccount = async (sandbox: Pick<TestSandbox, 'url'>, number = '123456789'): Promise<NewMethod> => ({
  typedMethod: {
    kind: 'sealed',
    sealed: { encryptedNumber: await encryptForNexio(sandbox, number), last4: number.slice(-4), bankCode: '231375151' },
  },
  type: 'eCheck',
  holder: 'Ada Holder',
  email: 'ada@payer.example',
})

/** Who pays, as it was typed beside a card. */
export const NEXIO_PAYER = {
  holder: 'Ada Holder',
  payerFirstName: 'Augusta',
  payerLastName: 'Payersen',
  email: 'ada@payer.example',
  phone: '+1 555 0100',
  address: { line1: '1 Quay Street', line2: 'Floor 2', state: 'NM', postalCode: '87101', country: 'US' },
  shippingAddress: '2 Harbour Road',
  shippingPhone: '+1 555 0200',
}

/** Settles what the sandbox's Nexio has booked, or lets its bank refuse or return it. */
export const settleAtNexio = async ({ url }: Pick<TestSandbox, 'url'>, id: string, outcome: 'succeeded' | 'failed' | 'returned') => {
  const body = JSON.stringify({ provider: 'nexio', id, outcome })
  const { status } = await fetch(`${url}/settle`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return status
}
