import styles from './public.module.css'

/** What went wrong with a form, read out when it appears. */
export const DoorError = ({ text }: { readonly text: string | null }) => (
  <div role="alert">{text !== null && <p className={styles.formError}>{text}</p>}</div>
)
