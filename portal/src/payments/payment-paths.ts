/**
 * Addresses whose document may load the payment company's script and frames (docs/decisions/0058). A content security policy
 * belongs to a document and not to an address, so that these are opened by a full load, and left by one.
 */
const PAYMENT_PATHS: ReadonlySet<string> = new Set(['/payment-types', '/bulk-pay', '/payment-result'])

/** Is this address served as a payment document? */
export const isPaymentPath = (pathname: string): boolean => PAYMENT_PATHS.has(pathname.replace(/\/+$/, ''))
