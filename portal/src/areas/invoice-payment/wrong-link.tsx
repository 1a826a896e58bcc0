import { useHostBrand } from '../../public/use-host-brand.ts'
import { LinkButton } from '../../ui/button/link-button.tsx'
import { SupportText } from '../../ui/feedback/support-text.tsx'
import { PayLayout } from './pay-layout.tsx'
import styles from './pay-page.module.css'

/** No invoice has this link, and trying again cannot help: what else can be done, with the look and the help of the host's brand (SP-02). */
export const WrongLink = ({ why }: { why: string }) => {
  const hostBrand = useHostBrand()
  return (
    <PayLayout title="Pay invoice" brand={hostBrand.state === 'known' ? hostBrand.brand : null}>
      <p className={`${styles.status} ${styles.bad}`} role="alert">
        {why}
      </p>
      <p>
        <SupportText>
          This link is incomplete or no longer valid. Open it once more from your invoice or the mail it came in, or find it among your
          invoices. If that does not help, contact support.
        </SupportText>
      </p>
      <LinkButton href="/invoices">Your invoices</LinkButton>
    </PayLayout>
  )
}
