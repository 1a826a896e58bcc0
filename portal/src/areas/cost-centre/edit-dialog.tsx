import type { ServiceItem } from '@counterfoil/contract/service-items'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/call-api.ts'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { updateServiceItemMutation } from './cost-centre.data.ts'
import { ErrorText } from '../../ui/form/error-text.tsx'
import styles from './cost-centre.module.css'

/** Edits a service item's description and cost centre. The values stay until the server accepts them. */
export const EditCostCentreDialog = ({ item, onClose }: { item: ServiceItem; onClose: () => void }) => {
  const [description, setDescription] = useState(item.description ?? '')
  const [costCentre, setCostCentre] = useState(item.costCentre ?? '')
  const update = useMutation(updateServiceItemMutation(item.id))

  const save = (): void => {
    if (update.isPending) return
    update.mutate({ description: description || null, costCentre: costCentre || null }, { onSuccess: onClose })
  }

  return (
    <Dialog
      title="Edit Cost Centre"
      isOpen
      onClose={onClose}
      busy={update.isPending}
      onSubmit={save}
      actions={
        <>
          <Button kind="quiet" disabled={update.isPending} onPress={onClose}>
            Discard
          </Button>
          <Button type="submit" busy={update.isPending} busyText="Saving…">
            Save
          </Button>
        </>
      }
    >
      <p className={styles.item}>{item.serviceItem}</p>
      <TextField label="Description" value={description} onChange={setDescription} error={fieldError(update.error, 'description')} />
      <TextField label="Cost Centre" value={costCentre} onChange={setCostCentre} error={fieldError(update.error, 'costCentre')} />
      <ErrorText>{update.isError && 'Your changes could not be saved. Try again.'}</ErrorText>
    </Dialog>
  )
}

/** The server's error message for a field. */
const fieldError = (error: Error | null, field: string): string | undefined =>
  error instanceof ApiError ? error.errors.find(({ path }) => path === `body.${field}`)?.message : undefined
