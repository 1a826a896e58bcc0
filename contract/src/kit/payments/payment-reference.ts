/** The reference of a payment for people, as in "3F2A-91BC": the beginning of its id, with which its receipt's number ends. */
export const paymentReference = (id: string): string => {
  const digits = id.replaceAll('-', '').toUpperCase()
  return `${digits.slice(0, 4)}-${digits.slice(4, 8)}`
}
