import type { PaymentFee } from '@counterfoil/contract/kit/payments/payment-summary'
import { RadioGroup } from '../../ui/form/radio-group.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import type { SavedMethod } from '../providers/panel.ts'
import { feeNote } from './fee-text.ts'
import styles from './checkout.module.css'
import { MethodMark } from './method-mark.tsx'

/** The choice of a card that is not stored. */
export const NEW_CARD = 'new-card'

interface MethodChoiceProps {
  readonly methods: readonly SavedMethod[]
  readonly fees: readonly PaymentFee[]
  readonly currencySymbol: string
  /** The id of the chosen method, or NEW_CARD. */
  readonly value: string | null
  readonly onChange: (id: string) => void
  /** Whether a card that is not stored is one of the choices. */
  readonly offersNewCard?: boolean
  readonly disabled: boolean
}

/** The stored methods to choose from, each with its fee. */
export const MethodChoice = ({ methods, fees, currencySymbol, value, onChange, offersNewCard = false, disabled }: MethodChoiceProps) => {
  const noteOf = (kind: SavedMethod['kind']): string => feeNote(fees, kind, currencySymbol)
  const newCard = { id: NEW_CARD, label: <Label icon="plus" title="New card" details={[noteOf('card')]} /> }
  return (
    <RadioGroup
      label="Pay with"
      isLabelHidden
      options={[
        ...methods.map((method) => ({ id: method.id, label: <MethodLabel method={method} note={noteOf(method.kind)} /> })),
        ...(offersNewCard ? [newCard] : []),
      ]}
      value={value}
      onChange={onChange}
      disabled={disabled}
    />
  )
}

/** The method that is chosen to begin with: the default, else the first. */
export const defaultMethod = (methods: readonly SavedMethod[]): SavedMethod | undefined =>
  methods.find(({ isDefault }) => isDefault) ?? methods[0]

/** A stored method as a choice: brand or bank, its detail, its fee, and whether it is the default. */
const MethodLabel = ({ method: { kind, title, image, detail, isDefault }, note }: { method: SavedMethod; note: string }) => (
  <Label icon={kind} image={image} title={title} details={[detail, note]} isDefault={isDefault} />
)

interface LabelProps {
  readonly icon: 'card' | 'bank' | 'plus'
  readonly image?: SavedMethod['image']
  readonly title: string
  readonly details: readonly string[]
  readonly isDefault?: boolean
}

/** A choice: mark, title and details. */
const Label = ({ icon, image, title, details, isDefault = false }: LabelProps) => {
  const detail = details.filter((part) => part !== '').join(' · ')
  return (
    <span className={styles.method}>
      {image ?? <MethodMark kind={icon} title={title} />}
      <span className={styles.words}>
        <span className={styles.name}>{title}</span> {detail !== '' && <span className={styles.small}>{detail}</span>}
      </span>
      {isDefault && <Tag>Default</Tag>}
    </span>
  )
}
