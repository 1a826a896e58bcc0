import type { ServiceItem } from '@counterfoil/contract/service-items'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/call-api.ts'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { type CostCentreTexts, isChangedMeanwhile, toUpdate, updateServiceItemMutation } from './cost-centre.data.ts'
import { ErrorText } from '../../ui/form/error-text.tsx'
import styles from './cost-centre.module.css'

interface EditCostCentreDialogProps {
  /** The service item as it is loaded now. */
  readonly item: ServiceItem
  readonly onClose: () => void
}

/**
 * Edits a service item's description and cost centre. The values stay until the server accepts them.
 * Only fields that were typed into are sent. When somebody changed one meanwhile, it says so, and the next Save overwrites it.
 */
export const EditCostCentreDialog = ({ item, onClose }: EditCostCentreDialogProps) => {
  const [base, setBase] = useState<CostCentreTexts>(item)
  const [typed, setTyped] = useState<Partial<CostCentreTexts>>({})
  const update = useMutation(updateServiceItemMutation(item.id))
  const isConflict = isChangedMeanwhile(update.error)

  const save = (): void => {
    if (update.isPending) return
    const seen = isConflict ? item : base
    setBase(seen)
    const body = toUpdate(typed, seen)
    if (Object.keys(body.basedOn).length === 0) onClose()
    else update.mutate(body, { onSuccess: onClose })
  }

  const field = (name: keyof CostCentreTexts) => ({
    value: typed[name] === undefined ? (item[name] ?? '') : (typed[name] ?? ''),
    onChange: (text: string) => setTyped({ ...typed, [name]: text || null }),
    error: fieldError(update.error, name) ?? (isConflict && item[name] !== base[name] ? changedText(item[name]) : undefined),
  })

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
      <TextField label="Description" {...field('description')} />
      <TextField label="Cost Centre" {...field('costCentre')} />
      <ErrorText>{update.isError && (isConflict ? CONFLICT_TEXT : 'Your changes could not be saved. Try again.')}</ErrorText>
    </Dialog>
  )
}

const CONFLICT_TEXT = 'Somebody changed this meanwhile. Save again to replace it with what you typed.'

/** The sentence that says what a field says now, or that it was emptied meanwhile. */
const changedText = (text: string | null): string => (text === null ? 'It was emptied meanwhile.' : `It now says “${text}”.`)

/** The server's error message for a field of the request's body; undefined when that field has none. */
const fieldError = (error: Error | null, field: string): string | undefined =>
  error instanceof ApiError ? error.errors.find(({ path }) => path === `body.${field}`)?.message : undefined
