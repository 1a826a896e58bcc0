import { useElements, useStripe } from '@stripe/react-stripe-js'
import { useState } from 'react'
import { CARD_DETAILS } from '../../card/card-labels.ts'
import type { CardEntryProps } from '../panel.ts'
import { createCardToken } from './elements/card-token.ts'
import { canSubmit, EMPTY_FIELD, type FieldState } from './elements/field-state.ts'
import { CardFields } from './elements/card-fields.tsx'
import { ScriptStatus } from './elements/script-status.tsx'
import { StripeForm } from './elements/stripe-form.tsx'

/** A card in Stripe's own fields. Stripe's script turns the card into a token, which is all that our server gets. */
export const CardEntry = (props: CardEntryProps) => (
  <StripeForm account={props.account}>
    {(script) => (script.state === 'ready' ? <ReadyCardEntry {...props} /> : <ScriptStatus script={script} />)}
  </StripeForm>
)

/** Gives its children the card in Stripe's fields, once the script is loaded. */
const ReadyCardEntry = ({ account, disabled, onEdit, children }: CardEntryProps) => {
  const [stripe, elements] = [useStripe(), useElements()]
  const [card, setCard] = useState(EMPTY_FIELD)
  const changeCard = (state: FieldState): void => {
    onEdit()
    setCard(state)
  }
  return children({
    fields: <CardFields isSplit={account.splitCardFields} disabled={disabled} onChange={changeCard} onFocus={onEdit} />,
    missing: stripe !== null && canSubmit(card) ? [] : [CARD_DETAILS],
    toPayment: async (holder) => ({ cardToken: await createCardToken(stripe, elements, holder) }),
  })
}
