import { signInWithCode } from '../../api/call-api.ts'
import { messageOf } from '../../api/api-error.ts'
import { REDIRECT_LOADER_PATH } from '../../shell/paths.ts'
import { safePath } from '../../public/safe-path.ts'
import { storeCustomerId, clearCustomer, storeSignInError } from '../../api/session.ts'

const CUSTOMER_ID = /^[1-9]\d{0,14}$/

/**
 * Exchanges the code of a support link for a super-user session and gives the address to go on to: the loader with the page that was
 * asked for, else the dashboard; the sign-in page, which tells why, when the code is no good (payments.md §2, Support sign-in).
 * @param search the query of the link: `c`, the customer to act for, and `r`, the page to open
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
