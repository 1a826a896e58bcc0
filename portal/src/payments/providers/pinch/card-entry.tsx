import { useState } from 'react'
import { todayUtc } from '../../../format/format.ts'
import { CardNumberFields } from '../../card/card-number-fields.tsx'
import { EMPTY_CARD, isCardComplete } from '../../card/card-number.ts'
import { CARD_DETAILS } from '../../card/card-labels.ts'
import type { CardEntryProps } from '../panel.ts'
import { createCardToken } from './create-token.ts'

/** A card that is typed on our page and sent straight to Pinch; our server gets its token only. */
export const CardEntry = ({ account, startCardFields, disabled, onEdit, children }: CardEntryProps) => {
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
    toPayment: async ({ name }) => ({ cardToken: await createCardToken({ account, startCardFields }, card, name.trim()) }),
  })
}
