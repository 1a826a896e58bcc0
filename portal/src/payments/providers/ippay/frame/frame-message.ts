/** What a message of the frame says: the entry was accepted, or a text for the user, or something about the frame, which goes on. */
export type FrameMessage =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'height'; readonly height: number }
  | { readonly kind: 'receipt'; readonly email: string }

/** With these codes something was stored or paid; with the second a fraud screen has remarked on it. */
const ACCEPTED_CODES: ReadonlySet<unknown> = new Set(['000', 'AFS-103'])
const MAX_LENGTH = 64
const MAX_EMAIL_LENGTH = 254
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
  if (typeof data !== 'string') return readNote(data as Note | null, origin)
  if (data.trim() === '' || data.length > MAX_LENGTH) return null
  return ACCEPTED_CODES.has(data) ? { kind: 'accepted' } : { kind: 'refused', text: data }
}

/** What a page in the frame says of itself; any page may send anything. */
interface Note {
  readonly height?: unknown
  readonly receiptEmail?: unknown
}

/** A page higher than this scrolls. */
const MAX_HEIGHT = 3_000

/** The height, or the receipt's email, of a message that is no text; null for any other. An email counts from our own return page alone. */
const readNote = (note: Note | null, origin: string): FrameMessage | null => {
  const { height, receiptEmail } = note ?? {}
  if (typeof height === 'number' && height > 0) return { kind: 'height', height: Math.min(Math.ceil(height), MAX_HEIGHT) }
  // The provider's page does not know whether its payer gets a receipt; ours does.
  const isOurs = origin === NO_ORIGIN && typeof receiptEmail === 'string' && receiptEmail.length <= MAX_EMAIL_LENGTH
  return isOurs ? { kind: 'receipt', email: receiptEmail } : null
}
