import type { ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import styles from './banner.module.css'
import { Icon } from '../icon.tsx'

export interface BannerProps {
  tone: 'good' | 'bad'
  children: ReactNode
  onClose?: () => void
}

/** A message across the page, announced by screen readers; can be closed. */
export const Banner = ({ tone, children, onClose }: BannerProps) => (
  <div className={`${styles.banner} ${styles[tone]}`} role={tone === 'bad' ? 'alert' : 'status'}>
    <span className={styles.text}>{children}</span>
    {onClose && (
      <Button kind="plain" label="Close" onPress={onClose}>
        <Icon name="close" />
      </Button>
    )}
  </div>
)
