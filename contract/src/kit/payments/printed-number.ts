/** The number of a card or a bank account without the blanks and dashes with which it is printed: "062-000" is "062000". */
export const withoutSeparators = (printed: string): string => printed.replaceAll(/[\s\p{Dash_Punctuation}\u2212]/gu, '')
