import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../api/call-api.ts'
import { NAVIGATING, useSubmit } from '../../ui/form/use-submit.ts'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import type { MethodList, SavedMethod } from '../../payments/providers/panel.ts'
import { removeMethodMutation } from './payment-methods.data.ts'

interface RemoveDialogProps {
  readonly list: Pick<MethodList<unknown>, 'kind' | 'remove'>
  readonly method: SavedMethod
  /** The card that becomes the default without this one; undefined where nothing changes. */
  readonly nextDefault: SavedMethod | undefined
  readonly onClose: () => void
}

/** Confirms the removal of a method. Success reloads the page, a failure shows the banner (PM-06, PM-07). */
export const RemoveDialog = ({ list, method, nextDefault, onClose }: RemoveDialogProps) => {
  const { mutateAsync } = useMutation(removeMethodMutation(list))
  const { busy, submit } = useSubmit(messageOf)
  const remove = async (): Promise<unknown> => {
    try {
      await mutateAsync(method.id)
      location.reload()
      return NAVIGATING
    } catch (failure) {
      onClose()
      throw failure
    }
  }
  return (
    <Dialog
      title={list.kind === 'card' ? 'Remove payment method' : 'Remove bank account'}
      isOpen
      onClose={onClose}
      busy={busy}
      actions={
        <>
          <Button kind="quiet" disabled={busy} onPress={onClose}>
            Cancel
          </Button>
          <Button kind="danger" busy={busy} busyText="Removing…" onPress={() => submit(remove)}>
            Remove
          </Button>
        </>
      }
    >
      <p>{nameOf(method)} will be removed and can no longer be used to pay invoices.</p>
      {nextDefault !== undefined && <p>{nameOf(nextDefault)} becomes the default.</p>}
    </Dialog>
  )
}

/** "Visa •••• 4242 (Expires 12/2034)": two cards may end with the same digits. */
const nameOf = ({ title, detail }: SavedMethod): string => (detail === '' ? title : `${title} (${detail})`)
