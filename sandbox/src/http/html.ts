/** Safe HTML; only `html` creates it. */
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

/** A template tag that escapes every value for text and quoted attributes, except markup. */
export const html = (strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup =>
  new Markup(strings.map((part, index) => part + render(pieces[index] ?? '')).join(''))

/** The text of a value: markup as it is, a list one after the other, anything else escaped. */
const render = (piece: Piece): string => {
  if (piece instanceof Markup) return piece.toString()
  if (typeof piece === 'object') return piece.map(render).join('')
  return String(piece).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
