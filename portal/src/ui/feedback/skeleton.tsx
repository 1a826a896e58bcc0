import styles from './skeleton.module.css'

/** A grey area of the size of what is loading, in pixels; without a width as wide as its place. */
export const Skeleton = ({ width, height }: { width?: number; height: number }) => (
  <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />
)
