/** Names the customer that a signed-in call acts for (decisions.md, Tenants and people). */
export const CUSTOMER_HEADER = 'X-Customer-Id'
