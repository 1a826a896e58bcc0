import { type CSSProperties, type ReactNode, useId } from 'react'
import styles from './tile.module.css'

export interface TileProps {
  title: string
  /** Content at the end of the title's line, such as a tag or a link. */
  aside?: ReactNode
  /** In pixels. */
  minHeight?: number
  /** Fills the remaining height of its column. */
  grow?: boolean
  children: ReactNode
}

/** A titled card. It is a landmark for screen readers. */
export const Tile = ({ title, aside, minHeight, grow, children }: TileProps) => {
  const id = useId()
  const style: CSSProperties = minHeight === undefined ? {} : { minHeight }
  return (
    <section className={`${styles.tile} ${grow ? styles.grow : ''}`} aria-labelledby={id} style={style}>
      <div className={styles.top}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
