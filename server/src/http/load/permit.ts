import { ApiError } from '../../kit/api-error.ts'

/**
 * The places that a request takes up: one of the server's, and those of its user or address. They are free again once its answer has been
 * made, however slowly it is read, and when its client leaves. A handler that goes on after its client has left keeps them.
 */
export class Permit {
  readonly #releases: (() => void)[] = []
  #isWorking = false
  #hasEnded = false

  /**
   * Adds a place.
   * @throws ApiError when the client has left: nothing more is done for it, and the place is released at once
   */
  add(release: () => void): void {
    this.#releases.push(release)
    if (this.#hasEnded) this.release()
    this.assertWanted()
  }

  /** Frees all places held now. More can be added until the permit has ended. */
  release(): void {
    for (const release of this.#releases.splice(0)) release()
  }

  /** The answer has been made, or none will be. */
  end(): void {
    this.#hasEnded = true
    this.release()
  }

  /** The client has its answer or has left. */
  close(): void {
    this.#hasEnded = true
    if (!this.#isWorking) this.release()
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
