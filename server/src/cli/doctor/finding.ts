/** What doctor found about one thing: how it is, and how to mend it. */
export interface Finding {
  readonly about: string
  readonly state: 'good' | 'warning' | 'bad'
  readonly says: string
  /** What to do about it; nothing where it is good. */
  readonly mend?: string
}

export const good = (about: string, says: string): Finding => ({ about, state: 'good', says })
export const warning = (about: string, says: string, mend: string): Finding => ({ about, state: 'warning', says, mend })
export const bad = (about: string, says: string, mend: string): Finding => ({ about, state: 'bad', says, mend })
