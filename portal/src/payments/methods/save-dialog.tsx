import { type ReactNode, useId } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import { SubmitNote } from '../checkout/submit-note.tsx'

interface SaveDialogProps {
  readonly title: string
  /** The label of the submit button. */
  readonly saveLabel: string
  readonly busyLabel?: string
  readonly busy: boolean
  /** False while something that nobody can fill in is not there yet, such as a script. */
  readonly isReady?: boolean
  /** What is not filled in yet, or not right, in words: until then nothing can be saved. */
  readonly missing: readonly (string | false)[]
  /** The error of the last attempt. */
  readonly error: string | null
  readonly onClose: () => void
  readonly onSave: () => void
  readonly children: ReactNode
}

/** A dialog with a form. It shows a loader while saving and keeps the values on failure (PM-07). */
export const SaveDialog = (props: SaveDialogProps) => {
  const { title, saveLabel, busyLabel = 'Saving…', busy, isReady = true, missing, error, onClose, onSave, children } = props
  const noteId = useId()
  const isComplete = missing.every((name) => name === false)
  const canSave = isReady && isComplete
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      busy={busy}
      onSubmit={() => canSave && onSave()}
      actions={
        <>
          <SubmitNote id={noteId} missing={missing} />
          <Button kind="quiet" disabled={busy} onPress={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!canSave} busy={busy} busyText={busyLabel} describedBy={isComplete ? undefined : noteId}>
            {saveLabel}
          </Button>
        </>
      }
    >
      {children}
      <ErrorText kind="box">{error}</ErrorText>
    </Dialog>
  )
}
