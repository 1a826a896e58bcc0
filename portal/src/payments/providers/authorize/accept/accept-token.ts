import { ShownError } from '../../../../api/api-error.ts'

/** What Accept.js answers. */
export interface AcceptResponse {
  readonly messages?: { readonly resultCode?: unknown; readonly message?: readonly { readonly code?: unknown; readonly text?: unknown }[] }
  readonly opaqueData?: { readonly dataDescriptor?: unknown; readonly dataValue?: unknown }
}

const NOT_CONFIGURED = "The payment gateway isn't configured properly. Please contact support if the issue persists."
const UNREADABLE = 'Your card could not be read. Please try again.'

/** Texts of ours by the codes of Accept.js. */
const ERROR_TEXTS: Readonly<Record<string, string>> = {
  E_WC_05: 'Your card number is invalid.',
  E_WC_06: "Your card's expiry date is invalid.",
  E_WC_07: "Your card's expiry date is invalid.",
  E_WC_08: "Your card's expiry date is in the past.",
  E_WC_15: "Your card's security code is invalid.",
  E_WC_02: NOT_CONFIGURED,
  E_WC_10: NOT_CONFIGURED,
  E_WC_18: NOT_CONFIGURED,
  E_WC_19: NOT_CONFIGURED,
  E_WC_21: NOT_CONFIGURED,
}

/**
 * The token of a card: the pair that Accept.js gives, in one text. It is good once, for a quarter of an hour.
 * @throws ShownError with a text to show
 */
export const readAcceptToken = ({ messages, opaqueData }: AcceptResponse): string => {
  const { dataDescriptor, dataValue } = opaqueData ?? {}
  if (messages?.resultCode === 'Ok' && typeof dataDescriptor === 'string' && typeof dataValue === 'string' && dataValue !== '')
    return `${dataDescriptor}|${dataValue}`
  const texts = (messages?.message ?? []).flatMap(({ code }) => ERROR_TEXTS[String(code)] ?? [])
  throw new ShownError(texts.length === 0 ? UNREADABLE : [...new Set(texts)].join(' '))
}
