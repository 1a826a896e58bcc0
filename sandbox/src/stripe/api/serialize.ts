/** The field of an object that only the sandbox sees. */
const HIDDEN_FIELD = 'sandbox_only'

/** The indented JSON of a response or webhook event, without the sandbox's own fields. */
export const serialize = (value: object): string =>
  JSON.stringify(value, (name, inner: unknown) => (name === HIDDEN_FIELD ? undefined : inner), 2)
