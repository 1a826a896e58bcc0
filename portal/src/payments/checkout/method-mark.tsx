import { Icon } from '../../ui/icon.tsx'
import type { MethodKind } from '../providers/panel.ts'
import styles from './checkout.module.css'

/** How a card's brand is written on a plate as small as an icon. */
const PLATES: Readonly<Record<string, string>> = {
  Visa: 'VISA',
  Mastercard: 'MC',
  'American Express': 'AMEX',
  Discover: 'DISC',
  JCB: 'JCB',
  UnionPay: 'UP',
}

interface MethodMarkProps {
  readonly kind: MethodKind | 'plus'
  /** As the label of the method begins, such as "Visa •••• 4242". */
  readonly title: string
}

/** A plate before a method: a card's brand in letters of our own, else an icon. Decoration only: the title says the same. */
export const MethodMark = ({ kind, title }: MethodMarkProps) => {
  const plate = PLATES[title.split(' ••')[0] ?? '']
  return (
    <span className={styles.mark} data-plate={plate} aria-hidden="true">
      {plate === undefined && <Icon name={kind} />}
    </span>
  )
}
