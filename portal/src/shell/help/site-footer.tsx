import type { BrandSettings } from '@counterfoil/contract/brands'
import styles from './site-footer.module.css'

/** Where a brand's customers find help, and its legal pages. */
export type Help = Pick<BrandSettings, 'helpEmail' | 'helpPhone' | 'helpHours' | 'termsUrl' | 'privacyUrl'>

const HELP_ID = 'help'

/** Where "contact support" leads: `mailto:` where an email is all the help there is, else `#` with the footer's id; null without help. */
export const supportHref = (help: Help | null): string | null => {
  if (help === null) return null
  if (help.helpPhone !== null || help.helpHours !== null) return `#${HELP_ID}`
  return help.helpEmail === null ? null : `mailto:${help.helpEmail}`
}

interface SiteFooterProps {
  readonly name: string
  /** Null until it is known. */
  readonly help: Help | null
}

/** The foot of every page: whose portal it is, its help, its terms and its privacy page. */
export const SiteFooter = ({ name, help }: SiteFooterProps) => (
  <footer className={styles.footer} id={HELP_ID} tabIndex={-1}>
    <span>{name}</span>
    {help?.helpEmail && <a href={`mailto:${help.helpEmail}`}>{help.helpEmail}</a>}
    {help?.helpPhone && <a href={`tel:${help.helpPhone.replaceAll(/[^+\d]/g, '')}`}>{help.helpPhone}</a>}
    {help?.helpHours && <span>{help.helpHours}</span>}
    {(help?.termsUrl || help?.privacyUrl) && (
      <div className={styles.legal}>
        {help.termsUrl && <OtherPage href={help.termsUrl}>Terms</OtherPage>}
        {help.privacyUrl && <OtherPage href={help.privacyUrl}>Privacy</OtherPage>}
      </div>
    )}
  </footer>
)

/** A link to a page of the brand's own site. It opens in a new tab, so that nothing typed is lost. */
const OtherPage = ({ href, children }: { href: string; children: string }) => (
  <a href={href} target="_blank" rel="noreferrer">
    {children}
  </a>
)
