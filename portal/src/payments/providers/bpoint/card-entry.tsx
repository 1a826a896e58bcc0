import { ErrorText } from '../../../ui/form/error-text.tsx'
import { useEffect, useState } from 'react'
import { ShownError } from '../../../api/api-error.ts'
import { todayUtc } from '../../../format/format.ts'
import { CardNumberFields } from '../../card/card-number-fields.tsx'
import { cardParts, EMPTY_CARD, isCardComplete, type TypedCard } from '../../card/card-number.ts'
import { CARD_DETAILS } from '../../card/card-labels.ts'
import type { CardEntryProps } from '../panel.ts'
import { attachMethod, loadBpoint } from './attach/load-bpoint.ts'

export const NOT_CONFIGURED = "The payment gateway isn't configured properly. Please contact support if the issue persists."

interface BpointCardEntryProps extends CardEntryProps {
  /** What becomes of the card: it pays, or it is stored. */
  readonly purpose?: 'txn' | 'token'
}

/**
 * A card that is typed on our page and goes straight to BPOINT, by its script. Our server opens a key for it, and gets nothing but that key
 * back: a new one for each press, since a key is used up by a decline.
 */
export const CardEntry = ({ account, startCardFields, disabled, onEdit, purpose = 'txn', children }: BpointCardEntryProps) => {
  const [card, setCard] = useState<TypedCard>(EMPTY_CARD)
  const { scriptUrl } = account
  useEffect(() => {
    if (scriptUrl !== null) void loadBpoint(scriptUrl)
  }, [scriptUrl])

  const attach = async (name: string): Promise<string> => {
    if (scriptUrl === null) throw new ShownError(NOT_CONFIGURED)
    const { authKey = '' } = (await startCardFields()).fields
    const { number, month, year, code } = cardParts(card)
    const typed = { number, expiry: { month, year: year.slice(-2) }, cvn: code, name }
    await attachMethod({ url: scriptUrl, purpose, authKey }, { card: typed })
    return authKey
  }
  const change = (typed: TypedCard): void => {
    onEdit()
    setCard(typed)
  }
  return children({
    fields:
      scriptUrl === null ? (
        <ErrorText kind="box">{NOT_CONFIGURED}</ErrorText>
      ) : (
        <CardNumberFields card={card} onChange={change} disabled={disabled} />
      ),
    missing: scriptUrl !== null && isCardComplete(card, todayUtc()) ? [] : [CARD_DETAILS],
    toPayment: async ({ name }) => ({ cardToken: await attach(name.trim()) }),
  })
}
