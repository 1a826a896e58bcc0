import { ApiError } from '../../kit/api-error.ts'

/**
 * What a request takes up: a place of the server's, and those of its user or address. They are free again once its answer has been made,
 * however slowly it is read, and when its client leaves; a handler that goes on after its client has left keeps them.
 */
export class Slot {
  readonly #places: (() => void)[] = []
  #isWorking = false
  #hasEnded = false

  /** @throws ApiError when the client has left: nothing more is done for it, and the place is given back at once */
  hold(leave: () => void): void {
    this.#places.push(leave)
    if (this.#hasEnded) this.giveBack()
    this.assertWanted()
  }

  giveBack(): void {
    for (const leave of this.#places.splice(0)) leave()
  }

  /** The answer has been made, or none will be. */
  end(): void {
    this.#hasEnded = true
    this.giveBack()
  }

  /** The client has its answer or has left. */
  close(): void {
    this.#hasEnded = true
    if (!this.#isWorking) this.giveBack()
  }

  /** @throws ApiError when the client has left */
  assertWanted(): void {
    if (this.#hasEnded) throw new ApiError('unreadable_request', 'The request was broken off.')
  }

  /** Keeps the places until the work is done, even if its client leaves. */
  keepDuring(work: Promise<unknown>): void {
    this.#isWorking = true
    const end = (): void => this.end()
    work.then(end, end)
  }
}
