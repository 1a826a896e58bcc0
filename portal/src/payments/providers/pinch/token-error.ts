const GENERIC_TEXT = 'Oops, something went wrong'

/** Pinch's first error message (PM-06): its errors are a list, or a list under `errorMessages` or `errors`. */
export const tokenErrorText = (body: unknown): string => messagesOf(body).find((text) => text.trim() !== '') ?? GENERIC_TEXT

const messagesOf = (body: unknown): readonly string[] => {
  const lists = [body, fieldOf(body, 'errorMessages'), fieldOf(body, 'errors')].filter((list): list is unknown[] => Array.isArray(list))
  return lists.flat().flatMap((error) => {
    const text = fieldOf(error, 'errorMessage') ?? fieldOf(error, 'message') ?? error
    return typeof text === 'string' ? [text] : []
  })
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value ? (value as Readonly<Record<string, unknown>>)[name] : undefined
