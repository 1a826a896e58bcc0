import styles from './public.module.css'

interface DoorButtonProps {
  readonly label: string
  /** Said in place of the label while the form is being sent. */
  readonly busyLabel: string
  readonly busy: boolean
  readonly disabled?: boolean
}

/** A form's button. While busy it keeps the focus and says what it is doing; the form ignores a second press. */
export const DoorButton = ({ label, busyLabel, busy, disabled = false }: DoorButtonProps) => (
  <>
    <button type="submit" className={styles.submit} disabled={disabled} aria-disabled={busy}>
      {busy && <span className={styles.spinner} aria-hidden="true" />}
      {busy ? busyLabel : label}
    </button>
    <output className={styles.unseen}>{busy ? busyLabel : ''}</output>
  </>
)
