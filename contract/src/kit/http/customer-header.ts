/** The header that names the customer for whom a signed-in user acts. */
export const CUSTOMER_HEADER = 'X-Customer-Id'
