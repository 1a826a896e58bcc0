import { type CSSProperties, type ReactNode, useId } from 'react'
import styles from './tile.module.css'

export interface TileProps {
  title: string
  /** Stands at the end of the title's line: a tag or a link. */
  aside?: ReactNode
  /** In pixels; the tile grows with its content beyond it. */
  minHeight?: number
  /** Takes the room that its column has left. */
  grow?: boolean
  children: ReactNode
}

/** A titled card on the page: a landmark that a screen reader can list and jump to. */
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
