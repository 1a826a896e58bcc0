import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { autoPayConsentQuery } from '../../api/account.data.ts'
import { Button } from '../../ui/button/button.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import styles from './payment-methods.module.css'
import { setConsentMutation } from './payment-methods.data.ts'

const TITLE = 'Automatic payments'

interface ConsentTileProps {
  readonly legalName: string
  /** Whether it is known that nothing is saved that could be charged. */
  readonly hasNoMethod?: boolean
}

/** The permission to charge the default method: a checkbox if the reseller needs it, else a note (PM-05). */
export const ConsentTile = ({ legalName, hasNoMethod = false }: ConsentTileProps) => {
  const { data, isError, refetch } = useQuery(autoPayConsentQuery())
  if (data === undefined)
    return isError ? (
      <Tile title={TITLE}>
        <Unavailable subject={TITLE} onRetry={() => void refetch()} />
      </Tile>
    ) : null
  return (
    <Tile title={TITLE}>
      {data.requireCustomerPermissionForCharging ? (
        <Consent legalName={legalName} isAllowed={data.allowResellerCharge} message={data.confirmationMessageForCharging} />
      ) : (
        <p className={styles.note}>{legalName} can charge invoices using the default payment method.</p>
      )}
      {hasNoMethod && <p className={styles.note}>Nothing is charged before a payment method is saved.</p>}
    </Tile>
  )
}

/** Withdraws the permission at once, and gives it after a confirmation. The checkbox shows the server's value. */
const Consent = ({ legalName, isAllowed, message }: { legalName: string; isAllowed: boolean; message: string | null }) => {
  const [isConfirming, setConfirming] = useState(false)
  const { mutate, isPending } = useMutation(setConsentMutation())
  const close = (): void => setConfirming(false)
  const save = (allowed: boolean): void => {
    if (!isPending) mutate(allowed, { onSettled: close })
  }
  return (
    <>
      <Checkbox checked={isAllowed} disabled={isPending} onChange={(checked) => (checked ? setConfirming(true) : save(false))}>
        Allow {legalName} to charge invoices to my default payment method
      </Checkbox>
      <Dialog
        title={TITLE}
        isOpen={isConfirming}
        onClose={close}
        busy={isPending}
        actions={
          <>
            <Button kind="quiet" disabled={isPending} onPress={close}>
              Cancel
            </Button>
            <Button busy={isPending} busyText="Saving…" onPress={() => save(true)}>
              Confirm
            </Button>
          </>
        }
      >
        <p>{message?.trim() || `${legalName} will be able to charge your default card.`}</p>
      </Dialog>
    </>
  )
}
