/** A message as `GET /mail` lists it. `to` has every recipient of the envelope, including Bcc, separated by ", ". */
export interface Mail {
  readonly to: string
  readonly subject: string
  /** The plain text part; empty when the message has none. */
  readonly text: string
  /** The HTML part; empty when the message has none. */
  readonly html: string
  /** When it was received, ISO 8601 in UTC. */
  readonly at: string
}

/** A message with its number, counted from 1 since the sandbox started and never reused. */
export type NumberedMail = Mail & { readonly number: number }

const MAX_MAILS = 1000

/** The newest 1,000 messages, in memory. */
export class Mailbox {
  #mails: NumberedMail[] = []
  #received = 0

  receive(mail: Mail): void {
    this.#received += 1
    this.#mails = [{ ...mail, number: this.#received }, ...this.#mails].slice(0, MAX_MAILS)
  }

  /** All messages, newest first. */
  list(): readonly NumberedMail[] {
    return this.#mails
  }

  find(number: number): NumberedMail | undefined {
    return this.#mails.find((mail) => mail.number === number)
  }

  /** Removes all messages. Numbering continues, so that a URL never shows another message. */
  reset(): void {
    this.#mails = []
  }
}
