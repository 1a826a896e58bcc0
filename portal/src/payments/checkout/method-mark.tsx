import { Icon } from '../../ui/icon.tsx'
import type { MethodKind } from '../providers/panel.ts'
import styles from './checkout.module.css'

/** The short names of card brands, which fit into the size of an icon. */
const BRAND_NAMES: Readonly<Record<string, string>> = {
  Visa: 'VISA',
  Mastercard: 'MC',
  'American Express': 'AMEX',
  Discover: 'DISC',
  JCB: 'JCB',
  UnionPay: 'UP',
}

interface MethodMarkProps {
  readonly kind: MethodKind | 'plus'
  /** The method's label, such as "Visa •••• 4242". The brand is read from it. */
  readonly title: string
}

/**
 * The mark before a payment method: the short name of a known card brand, else an icon. Hidden from screen readers, because the title says
 * the same.
 */
export const MethodMark = ({ kind, title }: MethodMarkProps) => {
  const brandName = BRAND_NAMES[title.split(' ••')[0] ?? '']
  return (
    <span className={styles.mark} data-brand={brandName} aria-hidden="true">
      {brandName === undefined && <Icon name={kind} />}
    </span>
  )
}
