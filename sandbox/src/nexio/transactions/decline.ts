/** What the checks of the address and the security code found. */
export interface CheckResults {
  readonly avsResults?: { readonly matchAddress: boolean; readonly matchPostal: boolean }
  readonly cvcResults?: { readonly matchCvv: boolean }
}

/** Why a payment or a card is declined. */
export interface Decline {
  /** 435: the gateway, 436: the address, 437: the security code */
  readonly error: 435 | 436 | 437
  readonly message: string
  readonly results?: CheckResults
}

/** A decline (435) by the gateway in the bank's words; nothing is thrown. */
export const gatewayDecline = (message = 'Declined'): Decline => ({ error: 435, message })
