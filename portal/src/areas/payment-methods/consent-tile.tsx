import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { resellerChargeQuery } from '../../api/account.data.ts'
import { Button } from '../../ui/button/button.tsx'
import { CheckBox } from '../../ui/form/checkbox.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import styles from './payment-methods.module.css'
import { setConsent } from './payment-methods.data.ts'

const TITLE = 'Automatic payments'

/** Whether the reseller may charge the default method: a box to tick where permission is needed, a note where it is not (payments.md §4). */
export const ConsentTile = ({ company }: { company: string }) => {
  const { data, isError, refetch } = useQuery(resellerChargeQuery())
  if (data === undefined)
    return isError ? (
      <Tile title={TITLE}>
        <Unavailable what={TITLE} onAgain={() => void refetch()} />
      </Tile>
    ) : null
  return (
    <Tile title={TITLE}>
      {data.requireCustomerPermissionForCharging ? (
        <Consent company={company} isGiven={data.allowResellerCharge} message={data.confirmationMessageForCharging} />
      ) : (
        <p className={styles.note}>{company} can charge invoices using the default payment method.</p>
      )}
    </Tile>
  )
}

/** Off at once; on only after the question was answered. The box shows what the server holds. */
const Consent = ({ company, isGiven, message }: { company: string; isGiven: boolean; message: string | null }) => {
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useMutation(setConsent())
  const close = (): void => setAsking(false)
  const set = (allowed: boolean): void => {
    if (!isPending) mutate(allowed, { onSettled: close })
  }
  return (
    <>
      <CheckBox checked={isGiven} disabled={isPending} onChange={(wanted) => (wanted ? setAsking(true) : set(false))}>
        Allow {company} to charge invoices to my default payment method
      </CheckBox>
      <Dialog
        title={TITLE}
        isOpen={isAsking}
        onClose={close}
        busy={isPending}
        actions={
          <>
            <Button kind="quiet" disabled={isPending} onPress={close}>
              Cancel
            </Button>
            <Button busy={isPending} busyText="Saving…" onPress={() => set(true)}>
              Confirm
            </Button>
          </>
        }
      >
        <p>{message?.trim() || `${company} will be able to charge your default card.`}</p>
      </Dialog>
    </>
  )
}
