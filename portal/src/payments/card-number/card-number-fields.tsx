import { CARD_LABELS, EXPIRY_FORM } from '../card-labels.ts'
import { todayUtc } from '../../format/format.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { codeLength, formatExpiry, formatNumber, typedExpiryProblem, type TypedCard } from './card-number.ts'
import styles from './card-number-fields.module.css'

interface CardNumberFieldsProps {
  readonly card: TypedCard
  readonly onChange: (card: TypedCard) => void
  readonly disabled: boolean
  /** False where a card is stored without its security code. */
  readonly hasCode?: boolean
}

/** Number, expiry and security code of a card that is typed on our own page. They are never stored in the browser. */
export const CardNumberFields = ({ card, onChange, disabled, hasCode = true }: CardNumberFieldsProps) => (
  <div className={styles.fields}>
    <TextField
      label={CARD_LABELS.number}
      value={card.number}
      onChange={(typed) => onChange({ ...card, number: formatAtEnd(card.number, typed, formatNumber) })}
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
        onChange={(typed) => onChange({ ...card, expiry: formatAtEnd(card.expiry, typed, formatExpiry) })}
        inputMode="numeric"
        autoComplete="cc-exp"
        maxLength={9}
        required
        disabled={disabled}
        error={typedExpiryProblem(card.expiry, todayUtc())}
      />
      {hasCode && (
        <TextField
          label={CARD_LABELS.code}
          value={card.code}
          onChange={(typed) => onChange({ ...card, code: typed.replaceAll(/\D/g, '') })}
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

/** Formats what grows; what is deleted stays as it is, so that a separator can be deleted too. */
const formatAtEnd = (before: string, typed: string, format: (typed: string) => string): string =>
  typed.length < before.length && before.startsWith(typed) ? typed.trimEnd() : format(typed)
