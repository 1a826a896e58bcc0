import { useState } from 'react'
import { ErrorText } from '../../../ui/form/error-text.tsx'
import type { CardEntryProps, CardHolder } from '../panel.ts'
import { CardInput, type ReadCard } from './card-input.tsx'
import { missingNames } from './missing-payer.ts'
import { PayerNames } from './payer-names.tsx'

/**
 * A card on our own page where the reseller takes card numbers, else in Nexio's own frame, and below it the first and last name of who
 * pays.
 */
export const CardEntry = ({ children, ...props }: CardEntryProps) => {
  const { disabled, onEdit } = props
  const [payer, setPayer] = useState({ payerFirstName: '', payerLastName: '' })
  const [first, last] = [payer.payerFirstName.trim(), payer.payerLastName.trim()]
  const change = (changes: Partial<typeof payer>): void => {
    onEdit()
    setPayer({ ...payer, ...changes })
  }
  return (
    <CardInput {...props}>
      {(card) =>
        children({
          fields: (
            <>
              {card.fields}
              <ErrorText kind="box">{card.error}</ErrorText>
              <PayerNames payer={payer} onChange={change} disabled={disabled} />
            </>
          ),
          missing: [...card.missing, ...missingNames(payer)],
          toPayment: async ({ email = '' }: CardHolder) => ({
            ...toPayFields(await card.read()),
            nexioCustomerDetails: { payerFirstName: first, payerLastName: last, ...(email.trim() === '' ? {} : { email: email.trim() }) },
          }),
        })
      }
    </CardInput>
  )
}

/** The card in the fields of the pay request: a token, or the encrypted number with expiry and security code. */
const toPayFields = (card: ReadCard) =>
  'token' in card
    ? { cardToken: card.token }
    : { cardNumber: card.encryptedNumber, expirationDate: `${card.year}-${card.month}`, cardCode: card.code }
