import type { ReactNode } from 'react'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import styles from './brand-image.module.css'
import { schemeName } from './schemes.ts'

interface Mark {
  readonly background: string
  readonly drawing: ReactNode
}

/** Simple marks of our own, in colours by which the brands are told apart; each has its brand's name as text. */
const MARKS: Readonly<Record<string, Mark>> = {
  VC: { background: '#1b2f78', drawing: <path d="M11 9 L16 17 L23 7" fill="none" stroke="#fff" strokeWidth="2.5" /> },
  MC: {
    background: '#2b2b2b',
    drawing: (
      <>
        <rect x="9" y="7" width="10" height="10" rx="2" fill="#e0532f" />
        <rect x="15" y="7" width="10" height="10" rx="2" fill="#f2a93b" fillOpacity="0.85" />
      </>
    ),
  },
  AX: { background: '#0f6a8c', drawing: <path d="M9 17 L17 7 L25 17 M12.5 13 H21.5" fill="none" stroke="#fff" strokeWidth="2" /> },
  DC: {
    background: '#33475b',
    drawing: (
      <>
        <path d="M11 7 h5 a5 5 0 0 1 0 10 h-5 z" fill="#fff" />
        <path d="M20 7 v10" stroke="#fff" strokeWidth="2" />
      </>
    ),
  },
  JC: {
    background: '#e9edf2',
    drawing: (
      <>
        <rect x="9" y="7" width="4" height="10" rx="1.5" fill="#2456a5" />
        <rect x="15" y="7" width="4" height="10" rx="1.5" fill="#b3273b" />
        <rect x="21" y="7" width="4" height="10" rx="1.5" fill="#24803f" />
      </>
    ),
  },
  UP: { background: '#0c5560', drawing: <path d="M11 7 v5 a6 5 0 0 0 12 0 v-5" fill="none" stroke="#f4c5c5" strokeWidth="2.5" /> },
}

const PLAIN: Mark = {
  background: '#6b7280',
  drawing: (
    <>
      <rect x="4" y="6" width="26" height="4" fill="#2f343c" />
      <rect x="7" y="14" width="9" height="3" rx="1" fill="#e5e7eb" />
    </>
  ),
}

/** A drawing of our own for a card's brand, with the brand's name for screen readers; a plain card where the brand is not known. */
export const BrandImage = ({ scheme }: { readonly scheme: string | null }) => {
  const { background, drawing } = MARKS[scheme ?? ''] ?? PLAIN
  return (
    <>
      <svg className={styles.brand} viewBox="0 0 34 24" aria-hidden="true">
        <rect width="34" height="24" rx="4" fill={background} />
        {drawing}
      </svg>
      <VisuallyHidden>{`${schemeName(scheme)} `}</VisuallyHidden>
    </>
  )
}
