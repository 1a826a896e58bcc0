import { useState } from 'react'
import { todayUtc } from '../../../format/format.ts'
import { CardNumberFields } from '../../card/card-number-fields.tsx'
import { EMPTY_CARD, isCardComplete, toCardPayment } from '../../card/card-number.ts'
import { CARD_DETAILS } from '../../card/card-labels.ts'
import type { CardEntryProps } from '../panel.ts'
import { useHostedCard } from './hosted/use-hosted-card.tsx'

/** A card on our own page where the reseller takes card numbers, else in Moneris' own fields. */
export const CardEntry = (props: CardEntryProps) =>
  props.account.takesCardNumbers ? <TypedCardEntry {...props} /> : <HostedCardEntry {...props} />

/** Gives its children a card that is typed on our page and sent to our server as it is. */
const TypedCardEntry = ({ disabled, onEdit, children }: CardEntryProps) => {
  const [card, setCard] = useState(EMPTY_CARD)
  return children({
    fields: (
      <CardNumberFields
        card={card}
        onChange={(typed) => {
          onEdit()
          setCard(typed)
        }}
        disabled={disabled}
      />
    ),
    missing: isCardComplete(card, todayUtc()) ? [] : [CARD_DETAILS],
    toPayment: async () => toCardPayment(card),
  })
}

/** Gives its children a card in Moneris' own fields in a frame, which give a token for it. */
const HostedCardEntry = ({ startCardFields, onEdit, children }: CardEntryProps) => {
  const card = useHostedCard(startCardFields, onEdit)
  return children({
    fields: card.fields,
    missing: card.isReady ? [] : [CARD_DETAILS],
    toPayment: async () => ({ cardToken: await card.createToken() }),
  })
}
