import { randomBytes } from 'node:crypto'

interface AccessToken {
  readonly account: string
  readonly until: number
}

/** How long a bearer token is valid, in seconds. */
export const TOKEN_TTL_S = 3_600

/** The bearer tokens that the token server gave. They end with the process, as those of Pinch end with their hour. */
export class AccessTokens {
  readonly #clock: () => number
  readonly #tokens = new Map<string, AccessToken>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  create(account: string): string {
    const token = randomBytes(48).toString('base64url')
    this.#tokens.set(token, { account, until: this.#clock() + TOKEN_TTL_S * 1_000 })
    return token
  }

  /** The account of a token that is still valid. */
  find(token: string): string | undefined {
    const found = this.#tokens.get(token)
    return found !== undefined && found.until > this.#clock() ? found.account : undefined
  }

  /** Ends every token, and returns how many there were. */
  expireAll(): number {
    const count = this.#tokens.size
    this.#tokens.clear()
    return count
  }
}
