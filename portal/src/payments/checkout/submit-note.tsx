import styles from './checkout.module.css'

interface SubmitNoteProps {
  /** By which the button names its reason. */
  readonly id: string
  /** What is not filled in yet, or not right, as in "card details". */
  readonly missing: readonly (string | false)[]
  /** Said in place of what is missing. */
  readonly instead?: string | false
}

/** Why the button above it cannot be pressed; nothing when it can. */
export const SubmitNote = ({ id, missing, instead = false }: SubmitNoteProps) => {
  const names = missing.filter((name) => name !== false)
  if (instead === false && names.length === 0) return null
  return (
    <p id={id} className={styles.small}>
      {instead === false ? `Still needed: ${names.join(', ')}` : instead}
    </p>
  )
}
