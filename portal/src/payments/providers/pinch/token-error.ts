const GENERIC_TEXT = 'Oops, something went wrong'

/**
 * Pinch's first error message in the body of an answer, else "Oops, something went wrong" (PM-06). Pinch's errors are a list, or a list
 * under `errorMessages` or `errors`.
 */
export const tokenErrorText = (body: unknown): string => messagesOf(body).find((text) => text.trim() !== '') ?? GENERIC_TEXT

/** All error messages in the body of an answer. */
const messagesOf = (body: unknown): readonly string[] => {
  const lists = [body, fieldOf(body, 'errorMessages'), fieldOf(body, 'errors')].filter((list): list is unknown[] => Array.isArray(list))
  return lists.flat().flatMap((error) => {
    const text = fieldOf(error, 'errorMessage') ?? fieldOf(error, 'message') ?? error
    return typeof text === 'string' ? [text] : []
  })
}

/** The value's field of this name; undefined where the value is no object or has none. */
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value ? (value as Readonly<Record<string, unknown>>)[name] : undefined
