/** A message as `GET /mail` gives it. `to` names every recipient of the envelope, hidden copies too, separated by ", ". */
export interface Mail {
  readonly to: string
  readonly subject: string
  /** The plain text part; empty when the message has none. */
  readonly text: string
  /** The HTML part; empty when the message has none. */
  readonly html: string
  /** When it was received, as an ISO 8601 instant in UTC. */
  readonly at: string
}

/** A message with its number, counted from 1 since the sandbox started and never given twice. */
export type NumberedMail = Mail & { readonly number: number }

const KEPT = 1000

/** The messages received, in memory; the oldest leave when there are more than 1,000. */
export class Mailbox {
  #mails: NumberedMail[] = []
  #received = 0

  /** Takes a message in. */
  receive(mail: Mail): void {
    this.#received += 1
    this.#mails = [{ ...mail, number: this.#received }, ...this.#mails].slice(0, KEPT)
  }

  /** All messages, newest first. */
  list(): readonly NumberedMail[] {
    return this.#mails
  }

  /** The message with that number, unless it was never received or has left. */
  find(number: number): NumberedMail | undefined {
    return this.#mails.find((mail) => mail.number === number)
  }

  /** Forgets every message. Numbers go on, so that an address never shows another message than it did. */
  reset(): void {
    this.#mails = []
  }
}
