/** A piece of HTML that is safe to show: made by `html` alone. */
export class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

type Piece = Markup | string | number | readonly Piece[]

/** A template of HTML: every value in it is escaped, for text and for quoted attributes, unless it is a piece of HTML itself. */
export const html = (strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup =>
  new Markup(strings.map((part, index) => part + rendered(pieces[index] ?? '')).join(''))

const rendered = (piece: Piece): string => {
  if (piece instanceof Markup) return piece.toString()
  if (typeof piece === 'object') return piece.map(rendered).join('')
  return String(piece).replaceAll(/[&<>"']/g, (sign) => ESCAPED[sign] ?? '')
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
