/** What a message of the frame says: the entry was accepted, or a text for the user. */
export type FrameMessage = { readonly isAccepted: true } | { readonly isAccepted: false; readonly text: string }

/** With these codes something was stored or paid; with the second a fraud screen has remarked on it. */
const ACCEPTED_CODES: ReadonlySet<unknown> = new Set(['000', 'AFS-103'])
const MAX_LENGTH = 64
/** The origin of our own return page, which runs in a sandbox. */
const NO_ORIGIN = 'null'

/**
 * Reads a message of the frame; null for every other message. It decides nothing: the screen reads from the server what became of the entry.
 * @param frame  the frame's window, and the address with which it began
 */
export const readFrameMessage = (
  { source, origin, data }: Pick<MessageEvent<unknown>, 'source' | 'origin' | 'data'>,
  frame: { readonly window: Window | null | undefined; readonly src: string },
): FrameMessage | null => {
  if (!frame.window || source !== frame.window) return null
  if (origin !== NO_ORIGIN && origin !== new URL(frame.src).origin) return null
  if (typeof data !== 'string' || data.trim() === '' || data.length > MAX_LENGTH) return null
  return ACCEPTED_CODES.has(data) ? { isAccepted: true } : { isAccepted: false, text: data }
}
