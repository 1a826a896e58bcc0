/** What an object knows and does not say. */
const HIDDEN = 'sandbox_only'

/** An answer's or a notice's text: everything but what only the stand-in knows. */
export const wireText = (value: object): string => JSON.stringify(value, (name, inner: unknown) => (name === HIDDEN ? undefined : inner), 2)
