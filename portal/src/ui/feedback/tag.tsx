import type { ReactNode } from 'react'
import styles from './tag.module.css'

export type TagTone = 'plain' | 'good' | 'warn' | 'bad'

/** A short word on a coloured ground. The word carries the meaning; the colour only repeats it. */
export const Tag = ({ tone = 'plain', children }: { tone?: TagTone; children: ReactNode }) => (
  <span className={`${styles.tag} ${styles[tone]}`}>{children}</span>
)
