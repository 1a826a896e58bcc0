import type { CardFieldsStart } from '@counterfoil/contract/card-fields'
import { type ReactNode, useState } from 'react'
import { ShownError } from '../../../api/api-error.ts'
import { todayUtc } from '../../../format/format.ts'
import { CardNumberFields } from '../../card/card-number-fields.tsx'
import { cardParts, EMPTY_CARD, isCardComplete } from '../../card/card-number.ts'
import { CARD_DETAILS } from '../../card/card-labels.ts'
import type { ProviderAccount } from '../panel.ts'
import { useFrameCard } from './frame/use-frame-card.tsx'
import { encryptDigits, NO_KEY_TEXT } from './number-key.ts'
import { useNumberKey } from './use-number-key.ts'

/** A card as it goes to our server. */
export type ReadCard =
  | { readonly token: string }
  | {
      readonly encryptedNumber: string
      readonly firstSix: string
      readonly lastFour: string
      readonly month: string
      readonly year: string
      readonly code: string
    }

/** A card that is being entered. */
export interface EnteringCard {
  readonly fields: ReactNode
  /** What is not entered yet, or not right, in words. */
  readonly missing: readonly string[]
  /** What is wrong before anything is typed; null when nothing is. */
  readonly error: string | null
  /** @throws ShownError with a text to show */
  readonly read: () => Promise<ReadCard>
}

interface CardInputProps {
  readonly account: ProviderAccount
  readonly startCardFields: () => Promise<CardFieldsStart>
  readonly disabled: boolean
  readonly onEdit: () => void
  readonly children: (card: EnteringCard) => ReactNode
}

/** A card whose number is typed on our page where the reseller takes card numbers, else in Nexio's own frame. */
export const CardInput = (props: CardInputProps) => (props.account.takesCardNumbers ? <TypedCard {...props} /> : <FramedCard {...props} />)

/** Gives its children a card that is typed on our page; its number is encrypted for Nexio before it leaves the browser. */
const TypedCard = ({ account, disabled, onEdit, children }: CardInputProps) => {
  const [card, setCard] = useState(EMPTY_CARD)
  const { key, error } = useNumberKey(account.publishableKey)
  const change = (typed: typeof card): void => {
    onEdit()
    setCard(typed)
  }
  return children({
    fields: <CardNumberFields card={card} onChange={change} disabled={disabled} />,
    missing: key !== null && isCardComplete(card, todayUtc()) ? [] : [CARD_DETAILS],
    error,
    read: async () => {
      if (key === null) throw new ShownError(NO_KEY_TEXT)
      const { number, ...rest } = cardParts(card)
      return { encryptedNumber: encryptDigits(key, number), firstSix: number.slice(0, 6), lastFour: number.slice(-4), ...rest }
    },
  })
}

/** Gives its children a card in Nexio's frame, which stores the card and gives its token. */
const FramedCard = ({ startCardFields, onEdit, children }: CardInputProps) => {
  const { fields, isReady, save } = useFrameCard(startCardFields, onEdit)
  return children({ fields, missing: isReady ? [] : [CARD_DETAILS], error: null, read: async () => ({ token: await save() }) })
}
