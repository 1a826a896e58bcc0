import { useQuery } from '@tanstack/react-query'
import type { MenuEntry } from '../../ui/overlay/menu.tsx'
import { useAccount } from '../account.tsx'
import { autoPayConsentQuery } from '../../api/account.data.ts'
import { isScreenPath, LOGOUT_PATH, PAYMENT_TYPES_PATH, SETTINGS_PATH } from '../paths.ts'
import { offersPaymentTypes } from '../sections.tsx'
import { isSuperUser } from '../../api/session.ts'

/** What the Settings dropdown offers, each entry under its address (portal.md §2, Header). */
export const useSettingsEntries = (): readonly MenuEntry[] => {
  const { paymentType } = useAccount().settings.payments
  const isSupport = isSuperUser()
  const canOffer = isScreenPath(PAYMENT_TYPES_PATH) && offersPaymentTypes(paymentType, isSupport, false)
  const consent = useQuery({ ...autoPayConsentQuery(), enabled: canOffer && !isSupport })
  // Not offered while unknown: an entry that vanishes under the finger is worse than one that comes a moment later.
  const isHidden = consent.data?.hidePaymentTypesForCustomerUsers ?? !consent.isError
  return [
    { id: SETTINGS_PATH, label: 'Change Password' },
    ...(canOffer && offersPaymentTypes(paymentType, isSupport, isHidden) ? [{ id: PAYMENT_TYPES_PATH, label: 'Payment Types' }] : []),
    { id: LOGOUT_PATH, label: 'Log Out' },
  ]
}
