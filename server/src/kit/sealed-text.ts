import { inspect } from 'node:util'

/** A text that is never printed, logged or serialised; only `open` gives it. */
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
