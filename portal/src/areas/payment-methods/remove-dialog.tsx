import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../api/call-api.ts'
import { NAVIGATING, useSubmit } from '../../ui/form/use-submit.ts'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import type { MethodRowData } from './method-row.tsx'
import { removeBankMethodMutation, removeCardMutation } from './payment-methods.data.ts'

interface RemoveDialogProps {
  readonly row: MethodRowData
  readonly kind: 'card' | 'bank'
  readonly onClose: () => void
}

/** Confirms the removal of a method. Success reloads the page, a failure shows the banner (PM-06, PM-07). */
export const RemoveDialog = ({ row, kind, onClose }: RemoveDialogProps) => {
  const { mutateAsync } = useMutation(kind === 'card' ? removeCardMutation() : removeBankMethodMutation())
  const { busy, submit } = useSubmit(messageOf)
  const remove = async (): Promise<unknown> => {
    try {
      await mutateAsync(row.id)
      location.reload()
      return NAVIGATING
    } catch (failure) {
      onClose()
      throw failure
    }
  }
  return (
    <Dialog
      title={kind === 'card' ? 'Remove payment method' : 'Remove bank account'}
      isOpen
      onClose={onClose}
      busy={busy}
      actions={
        <>
          <Button kind="quiet" disabled={busy} onPress={onClose}>
            Cancel
          </Button>
          <Button busy={busy} busyText="Removing…" onPress={() => submit(remove)}>
            Remove
          </Button>
        </>
      }
    >
      <p>{row.title} will be removed and can no longer be used to pay invoices.</p>
    </Dialog>
  )
}
