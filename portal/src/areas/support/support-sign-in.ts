import { signInWithCode } from '../../api/sign-in.ts'
import { messageOf } from '../../api/api-error.ts'
import { REDIRECT_LOADER_PATH } from '../../shell/navigation/paths.ts'
import { safePath } from '../../public/safe-path.ts'
import { storeCustomerId, clearCustomer, storeSignInError } from '../../api/session.ts'

const CUSTOMER_ID = /^[1-9]\d{0,14}$/

/**
 * Exchanges the code of a support link for a super-user session, which is stored with the customer to act for (SUP-01). Never throws.
 * @param search the query of the link: `c`, the customer to act for, and `r`, the page to open
 * @returns the URL path to open: the loader with `r`, else the dashboard; the sign-in page when the code is rejected, with the error stored
 */
export const signInAsSupport = async (code: string, search: string): Promise<string> => {
  const query = new URLSearchParams(search)
  try {
    await signInWithCode(code, `${location.origin}/la`, true)
  } catch (failure) {
    storeSignInError(messageOf(failure))
    return '/login'
  }
  const customer = query.get('c') ?? ''
  if (CUSTOMER_ID.test(customer)) storeCustomerId(Number(customer))
  else clearCustomer()
  const target = query.get('r')
  return target === null || target === '' ? '/dashboard' : `${REDIRECT_LOADER_PATH}?r=${encodeURIComponent(safePath(target))}`
}
