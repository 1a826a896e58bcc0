import { Icon } from '../../ui/icon.tsx'
import styles from '../../ui/layout/back-link.module.css'

interface BackLinkProps {
  readonly href: string
  /** What the reseller calls several invoices. */
  readonly invoicesLabel: string
  readonly onPress?: () => void
}

/** The link back from paying to the invoices, above the heading. It loads a new document. */
export const BackLink = ({ href, invoicesLabel, onPress }: BackLinkProps) => (
  <a className={styles.back} href={href} onClick={onPress}>
    <Icon name="left" />
    {backText(invoicesLabel)}
  </a>
)

/** "Back to invoices" */
export const backText = (invoicesLabel: string): string => `Back to ${inSentence(invoicesLabel)}`

/** The word for an invoice inside a sentence: a reseller's own is left as it is written. */
export const inSentence = (label: string): string => (label === 'Invoice' || label === 'Invoices' ? label.toLowerCase() : label)
