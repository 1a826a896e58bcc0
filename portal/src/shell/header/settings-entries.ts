import { useQuery } from '@tanstack/react-query'
import type { MenuEntry } from '../../ui/overlay/menu.tsx'
import { useAccount } from '../account/account.tsx'
import { autoPayConsentQuery } from '../../api/account.data.ts'
import { isScreenPath, LOGOUT_PATH, PAYMENT_TYPES_PATH, PROFILE_PATH, SETTINGS_PATH } from '../navigation/paths.ts'
import { offersPaymentTypes } from '../navigation/sections.tsx'
import { isSuperUser } from '../../api/session.ts'

/** Does the Settings menu offer Payment Types? No while the server's answer, whether customer users may see them, is on its way. */
export const usePaymentTypesOffered = (): boolean => {
  const { settings, isReady } = useAccount()
  const { payments } = settings
  const isSupport = isSuperUser()
  const canOffer = isScreenPath(PAYMENT_TYPES_PATH) && offersPaymentTypes(payments, isSupport, false)
  const consent = useQuery({ ...autoPayConsentQuery(), enabled: isReady && canOffer && !isSupport })
  // Hidden while unknown: an entry that appears late is better than one that disappears.
  const isHidden = consent.data?.hidePaymentTypesForCustomerUsers ?? !consent.isError
  return canOffer && offersPaymentTypes(payments, isSupport, isHidden)
}

/** The entries of the Settings menu; each id is a URL path. */
export const useSettingsEntries = (): readonly MenuEntry[] => {
  const isOffered = usePaymentTypesOffered()
  return [
    { id: PROFILE_PATH, label: 'Profile' },
    { id: SETTINGS_PATH, label: 'Change Password' },
    ...(isOffered ? [{ id: PAYMENT_TYPES_PATH, label: 'Payment Types' }] : []),
    { id: LOGOUT_PATH, label: 'Log Out' },
  ]
}
