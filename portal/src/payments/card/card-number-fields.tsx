import { CARD_LABELS, EXPIRY_FORM } from './card-labels.ts'
import { todayUtc } from '../../format/format.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { codeLength, formatExpiry, formatNumber, typedExpiry, typedExpiryProblem, typedNumber, type TypedCard } from './card-number.ts'
import styles from './card-number-fields.module.css'

interface CardNumberFieldsProps {
  readonly card: TypedCard
  readonly onChange: (card: TypedCard) => void
  readonly disabled: boolean
  /** False where a card is stored without its security code. */
  readonly hasCode?: boolean
}

/** Number, expiry and security code of a card that is typed on our own page. They are never stored in the browser. */
export const CardNumberFields = ({ card, onChange, disabled, hasCode = true }: CardNumberFieldsProps) => {
  // Leaving a field is no change of the card, unless it is formatted by it.
  const changeTo = (part: Partial<TypedCard>): void => {
    if (Object.entries(part).some(([name, text]) => card[name as keyof TypedCard] !== text)) onChange({ ...card, ...part })
  }
  return (
    <div className={styles.fields}>
      <TextField
        label={CARD_LABELS.number}
        value={card.number}
        onChange={(typed) => changeTo({ number: typedNumber(card.number, typed) })}
        onBlur={() => changeTo({ number: formatNumber(card.number) })}
        inputMode="numeric"
        autoComplete="cc-number"
        maxLength={23}
        required
        disabled={disabled}
      />
      <div className={styles.row}>
        <TextField
          label={CARD_LABELS.expiry}
          placeholder={EXPIRY_FORM}
          value={card.expiry}
          onChange={(typed) => changeTo({ expiry: typedExpiry(card.expiry, typed) })}
          onBlur={() => changeTo({ expiry: formatExpiry(card.expiry) })}
          inputMode="numeric"
          autoComplete="cc-exp"
          required
          disabled={disabled}
          error={typedExpiryProblem(card.expiry, todayUtc())}
        />
        {hasCode && (
          <TextField
            label={CARD_LABELS.code}
            value={card.code}
            onChange={(typed) => changeTo({ code: typed.replaceAll(/\D/g, '') })}
            inputMode="numeric"
            autoComplete="cc-csc"
            maxLength={codeLength(card)}
            required
            disabled={disabled}
          />
        )}
      </div>
    </div>
  )
}
