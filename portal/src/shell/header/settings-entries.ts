import { useQuery } from '@tanstack/react-query'
import type { MenuEntry } from '../../ui/overlay/menu.tsx'
import { useAccount } from '../account.tsx'
import { resellerChargeQuery } from '../../api/account.data.ts'
import { isBuilt, LOGOUT, PAYMENT_TYPES_PATH, SETTINGS } from '../paths.ts'
import { offersPaymentTypes } from '../sections.tsx'
import { isSuperUser } from '../../api/session.ts'

/** What the Settings dropdown offers, each entry under its address (portal.md §2, Header). */
export const useSettingsEntries = (): readonly MenuEntry[] => {
  const { paymentType } = useAccount().settings.payments
  const superUser = isSuperUser()
  const couldOffer = isBuilt(PAYMENT_TYPES_PATH) && offersPaymentTypes(paymentType, superUser, false)
  const charge = useQuery({ ...resellerChargeQuery(), enabled: couldOffer && !superUser })
  // Not offered while unknown: an entry that vanishes under the finger is worse than one that comes a moment later.
  const hidden = charge.data?.hidePaymentTypesForCustomerUsers ?? !charge.isError
  return [
    { id: SETTINGS, label: 'Change Password' },
    ...(couldOffer && offersPaymentTypes(paymentType, superUser, hidden) ? [{ id: PAYMENT_TYPES_PATH, label: 'Payment Types' }] : []),
    { id: LOGOUT, label: 'Log Out' },
  ]
}
