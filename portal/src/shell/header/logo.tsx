import { Link } from 'react-router'
import type { Branding } from '../account/account.tsx'
import { BrandImage } from '../theme/brand-image.tsx'
import styles from './header.module.css'

interface LogoProps {
  readonly brandId: number
  readonly companyName: string
  readonly hasDarkLogo: Branding['hasDarkLogo']
}

/** The brand's logo as a link to `/`; the company's name where no logo can be loaded. */
export const Logo = ({ brandId, companyName, hasDarkLogo }: LogoProps) => {
  const name = companyName || 'Start page'
  return (
    <Link className={styles.logo} to="/" aria-label={name}>
      <BrandImage brand={{ id: brandId, hasDarkLogo }} kind="logo" alt="" fallback={<span>{name}</span>} />
    </Link>
  )
}
