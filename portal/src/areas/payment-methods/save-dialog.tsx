import type { ReactNode } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import styles from './payment-methods.module.css'

interface SaveDialogProps {
  readonly title: string
  /** What the button does: Add, Save. */
  readonly saveLabel: string
  readonly busyLabel?: string
  readonly busy: boolean
  readonly canSave: boolean
  /** Why the last try failed; stands beside what was typed, which stays. */
  readonly error: string | null
  readonly onClose: () => void
  readonly onSave: () => void
  readonly children: ReactNode
}

/** A form over the page that saves: it shows a loader meanwhile, and keeps what was typed when that fails (payments.md §4, Add card). */
export const SaveDialog = (props: SaveDialogProps) => {
  const { title, saveLabel, busyLabel = 'Saving…', busy, canSave, error, onClose, onSave, children } = props
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      busy={busy}
      onSubmit={onSave}
      actions={
        <>
          <Button kind="quiet" disabled={busy} onPress={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!canSave} busy={busy} busyText={busyLabel}>
            {saveLabel}
          </Button>
        </>
      }
    >
      {children}
      <div role="alert">{error !== null && <p className={styles.failed}>{error}</p>}</div>
    </Dialog>
  )
}
