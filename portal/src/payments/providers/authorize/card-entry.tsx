import { ErrorText } from '../../../ui/form/error-text.tsx'
import type { CardFieldsStart } from '@counterfoil/contract/card-fields'
import { useCallback, useState } from 'react'
import { ShownError } from '../../../api/api-error.ts'
import { todayUtc } from '../../../format/format.ts'
import { ResourceStatus } from '../../../ui/feedback/resource-status.tsx'
import { useResource } from '../../../ui/use-resource.ts'
import { CardNumberFields } from '../../card/card-number-fields.tsx'
import { cardParts, EMPTY_CARD, isCardComplete, toCardPayment, type TypedCard } from '../../card/card-number.ts'
import { CARD_DETAILS } from '../../card/card-labels.ts'
import type { CardEntryProps } from '../panel.ts'
import { createAcceptToken, loadAccept } from './accept/load-accept.ts'

const NOT_CONFIGURED = "The payment gateway isn't configured properly. Please contact support if the issue persists."

interface AuthorizeCardEntryProps extends CardEntryProps {
  /** False where a card is stored, which takes no security code. */
  readonly hasCode?: boolean
}

/**
 * A card that is typed on our page. Where the reseller takes card numbers it is sent as it was typed; else Accept.js sends it from the
 * browser to Authorize.net, and our server gets a token.
 */
export const CardEntry = (props: AuthorizeCardEntryProps) =>
  props.account.takesCardNumbers ? <TypedCardEntry {...props} /> : <AcceptCardEntry {...props} />

/** Gives its children the card as typed: our server gets the number. */
const TypedCardEntry = ({ disabled, onEdit, hasCode = true, children }: AuthorizeCardEntryProps) => {
  const { card, fields } = useCardFields(disabled, onEdit, hasCode)
  return children({
    fields,
    missing: isCardComplete(card, todayUtc(), hasCode) ? [] : [CARD_DETAILS],
    toPayment: async () => toCardPayment(card),
  })
}

/** Gives its children a token that Accept.js makes of the typed card: our server gets no number. */
const AcceptCardEntry = ({ account, startCardFields, disabled, onEdit, hasCode = true, children }: AuthorizeCardEntryProps) => {
  const { card, fields } = useCardFields(disabled, onEdit, hasCode)
  const accept = useAccept(account.scriptUrl, startCardFields)
  if (accept.state !== 'ready')
    return children({
      fields:
        account.scriptUrl === null ? (
          <ErrorText kind="box">{NOT_CONFIGURED}</ErrorText>
        ) : (
          <ResourceStatus resource={accept} subject="The form of our payment partner" />
        ),
      missing: [CARD_DETAILS],
      toPayment: () => Promise.reject(new ShownError(NOT_CONFIGURED)),
    })
  const { script, start } = accept.value
  const { number: cardNumber, month, year, code } = cardParts(card)
  return children({
    fields,
    missing: isCardComplete(card, todayUtc(), hasCode) ? [] : [CARD_DETAILS],
    toPayment: async () => ({
      cardToken: await createAcceptToken(script, start.fields, { cardNumber, month, year, ...(hasCode ? { cardCode: code } : {}) }),
    }),
  })
}

/** The typed card, in memory alone, and its fields. */
const useCardFields = (disabled: boolean, onEdit: () => void, hasCode: boolean) => {
  const [card, setCard] = useState<TypedCard>(EMPTY_CARD)
  const change = (typed: TypedCard): void => {
    onEdit()
    setCard(typed)
  }
  return { card, fields: <CardNumberFields card={card} onChange={change} disabled={disabled} hasCode={hasCode} /> }
}

/** Loads Accept.js, and from our server the public key with which it sends a card; nothing without a script address. */
const useAccept = (scriptUrl: string | null, startCardFields: () => Promise<CardFieldsStart>) => {
  const [initialStart] = useState(() => startCardFields)
  const load = useCallback(async () => {
    const [script, start] = await Promise.all([loadAccept(scriptUrl ?? ''), initialStart()])
    return { script, start }
  }, [scriptUrl, initialStart])
  return useResource(scriptUrl === null ? null : load)
}
