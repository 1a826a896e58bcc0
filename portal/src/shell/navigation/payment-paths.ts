/**
 * Paths whose document may load the payment provider's script and frames (docs/decisions/0058). A content security policy
 * belongs to a document and not to a path, so these screens are entered and left by a full page load.
 */
const PAYMENT_PATHS: ReadonlySet<string> = new Set(['/payment-types', '/bulk-pay', '/payment-result'])

/** Whether the server sends the URL path's document with the content security policy of payments. */
export const isPaymentPath = (pathname: string): boolean => PAYMENT_PATHS.has(pathname.replace(/\/+$/, ''))
