import { inspect } from 'node:util'

/** A text that nothing prints, logs or serialises: whoever sends it on opens it, and nobody else. */
export class SealedText {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  open(): string {
    return this.#text
  }

  toString(): string {
    return '[sealed]'
  }

  toJSON(): string {
    return '[sealed]'
  }

  [inspect.custom](): string {
    return '[sealed]'
  }
}
