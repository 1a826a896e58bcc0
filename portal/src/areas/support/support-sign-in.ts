import { signInWithCode } from '../../api/call-api.ts'
import { messageOf } from '../../api/api-error.ts'
import { LOADER } from '../../shell/paths.ts'
import { safePath } from '../../public/safe-path.ts'
import { chooseCustomer, forgetCustomer, keepSignInError } from '../../api/session.ts'

const CUSTOMER = /^[1-9]\d{0,14}$/

/**
 * Exchanges the code of a support link for a super-user session and gives the address to go on to: the loader with the page that was
 * asked for, else the dashboard; the sign-in page, which tells why, when the code is no good (payments.md §2, Support sign-in).
 * @param search the query of the link: `c`, the customer to act for, and `r`, the page to open
 */
export const enterAsSupport = async (code: string, search: string): Promise<string> => {
  const query = new URLSearchParams(search)
  try {
    await signInWithCode(code, `${location.origin}/la`, true)
  } catch (failure) {
    keepSignInError(messageOf(failure))
    return '/login'
  }
  const customer = query.get('c') ?? ''
  if (CUSTOMER.test(customer)) chooseCustomer(Number(customer))
  else forgetCustomer()
  const target = query.get('r')
  return target === null || target === '' ? '/dashboard' : `${LOADER}?r=${encodeURIComponent(safePath(target))}`
}
