import { newCard } from './cards.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { newId } from '../../store/ids.ts'
import { inner } from '../../api/params.ts'
import type { CardFace, MethodSecrets } from './payment-method.ts'
import { invalid } from '../../api/stripe-error.ts'
import type { Work } from '../../store/sandbox-session.ts'

/** A card under a name that can be used once. */
interface Token {
  readonly id: string
  readonly object: 'token'
  readonly used: boolean
  readonly sandbox_only: { readonly shown: CardFace; readonly secrets: MethodSecrets }
}

/**
 * The card behind a page's token, which is used up by this; undefined when there is no such token.
 * @throws StripeError when it was used before
 */
export const cardOfToken = (work: Work, id: string): Token['sandbox_only'] | undefined => {
  const token = work.find<Token>('token', id)
  if (token === undefined) return undefined
  if (token.used) throw invalid(`You cannot use a Stripe token more than once: ${id}.`, { code: 'token_already_used' })
  work.put({ ...token, used: true })
  return token.sandbox_only
}

/** `/v1/tokens` */
export const tokenEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/tokens',
    operation: 'tokenise',
    fromPages: true,
    takes: ['card', 'guid', 'muid', 'sid', 'payment_user_agent'],
    needs: ['card'],
    run: ({ work, form, secret }) => {
      const { shown, secrets } = newCard(inner(form, 'card') ?? {}, work.now, secret)
      const { brand, country, exp_month, exp_year, fingerprint, funding, last4 } = shown
      return work.put({
        id: newId('tok'),
        object: 'token' as const,
        card: { id: newId('card'), object: 'card', brand, country, exp_month, exp_year, fingerprint, funding, last4, metadata: {} },
        client_ip: '127.0.0.1',
        created: work.now,
        livemode: false,
        type: 'card',
        used: false,
        sandbox_only: { shown, secrets },
      })
    },
  },
]
