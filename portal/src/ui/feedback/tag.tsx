import type { ReactNode } from 'react'
import styles from './tag.module.css'

export type TagTone = 'plain' | 'good' | 'warn' | 'bad'

/** A short label on a coloured background. The colour only repeats the meaning of the text. */
export const Tag = ({ tone = 'plain', children }: { tone?: TagTone; children: ReactNode }) => (
  <span className={`${styles.tag} ${styles[tone]}`}>{children}</span>
)
