/** What Nexio's frame tells the page around it. */
export type FrameMessage =
  | { readonly kind: 'validity'; readonly isValid: boolean }
  | { readonly kind: 'saved'; readonly token: string }
  | { readonly kind: 'error'; readonly text: string }

const UNREADABLE = 'Your card could not be saved. Please try again.'

/** Reads a message of the frame; null for those that say nothing about the card. */
export const readFrameMessage = (message: unknown): FrameMessage | null => {
  if (!isObject(message)) return null
  const { event, data } = message
  const fields = isObject(data) ? data : {}
  if (event === 'formValidations') return { kind: 'validity', isValid: fields['isFormValid'] === true }
  if (event === 'error') return { kind: 'error', text: typeof fields['message'] === 'string' ? fields['message'] : UNREADABLE }
  if (event !== 'cardSaved') return null
  const stored = isObject(fields['token']) ? fields['token']['token'] : undefined
  return typeof stored === 'string' && stored !== '' ? { kind: 'saved', token: stored } : { kind: 'error', text: UNREADABLE }
}

/** Whether the value is an object, an array too. */
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
