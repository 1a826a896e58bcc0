import { brands, FALLBACK_BRAND } from '@counterfoil/contract/brands'
import { pathOf } from '@counterfoil/contract/kit/http/endpoint'
import { useState } from 'react'
import { Link } from 'react-router'
import styles from './header.module.css'
import { DEFAULT_COLOURS } from '../theme/theme.ts'

interface LogoProps {
  brandId: number
  companyName: string
  background: string | undefined
}

/** The brand's logo as a link to `/`; brand 0's when it has none, the company's name when that is missing too. */
export const Logo = ({ brandId, companyName, background }: LogoProps) => {
  const [sources, setSources] = useState<readonly number[]>(brandId === FALLBACK_BRAND ? [FALLBACK_BRAND] : [brandId, FALLBACK_BRAND])
  const source = sources[0]
  const name = companyName || 'Start page'
  return (
    <Link className={styles.logo} to="/" aria-label={name}>
      {source === undefined ? (
        <span>{name}</span>
      ) : (
        <img
          key={source}
          src={pathOf(brands.image, { id: source, kind: 'logo' })}
          alt=""
          style={{ background: source === FALLBACK_BRAND ? DEFAULT_COLOURS.colour1 : background }}
          onError={() => setSources(sources.slice(1))}
        />
      )}
    </Link>
  )
}
