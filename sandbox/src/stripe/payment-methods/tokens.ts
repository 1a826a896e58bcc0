import { parseCard } from './cards.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { newId } from '../store/ids.ts'
import { objectParam } from '../api/params.ts'
import type { CardDetails, MethodSecrets } from './payment-method.ts'
import { invalidRequest } from '../api/stripe-error.ts'
import type { StripeSession } from '../store/stripe-session.ts'

/** A card that can be used once. */
interface Token {
  readonly id: string
  readonly object: 'token'
  readonly used: boolean
  readonly sandbox_only: { readonly shown: CardDetails; readonly secrets: MethodSecrets }
}

/**
 * The card of a token, which is used up by this; undefined when there is no such token.
 * @throws StripeError when the token was used before
 */
export const redeemToken = (sandbox: StripeSession, id: string): Token['sandbox_only'] | undefined => {
  const token = sandbox.find<Token>('token', id)
  if (token === undefined) return undefined
  if (token.used) throw invalidRequest(`You cannot use a Stripe token more than once: ${id}.`, { code: 'token_already_used' })
  sandbox.put({ ...token, used: true })
  return token.sandbox_only
}

/** `/v1/tokens` */
export const tokenEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/tokens',
    operation: 'tokenise',
    allowsPublishableKey: true,
    params: ['card', 'guid', 'muid', 'sid', 'payment_user_agent'],
    requiredParams: ['card'],
    handle: ({ sandbox, form, hasSecretKey }) => {
      const { shown, secrets } = parseCard(objectParam(form, 'card') ?? {}, sandbox.now, hasSecretKey)
      const { brand, country, exp_month, exp_year, fingerprint, funding, last4 } = shown
      return sandbox.put({
        id: newId('tok'),
        object: 'token' as const,
        card: { id: newId('card'), object: 'card', brand, country, exp_month, exp_year, fingerprint, funding, last4, metadata: {} },
        client_ip: '127.0.0.1',
        created: sandbox.now,
        livemode: false,
        type: 'card',
        used: false,
        sandbox_only: { shown, secrets },
      })
    },
  },
]
