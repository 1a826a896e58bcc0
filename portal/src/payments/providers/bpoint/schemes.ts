/** The brands by the codes that the API has for them. */
const NAMES: Readonly<Record<string, string>> = {
  VC: 'Visa',
  MC: 'Mastercard',
  AX: 'American Express',
  DC: 'Diners Club',
  JC: 'JCB',
  UP: 'UnionPay',
}

/** The name of a card's brand by its code (`VC`), which the API calls scheme; "Card" for an unknown code and for null. */
export const schemeName = (scheme: string | null): string => NAMES[scheme ?? ''] ?? 'Card'
