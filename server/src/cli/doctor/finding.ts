/** What doctor found about one thing: how it is, and how to mend it. */
export interface Finding {
  readonly about: string
  readonly state: 'good' | 'warning' | 'bad'
  readonly says: string
  /** What to do about it; nothing where it is good. */
  readonly mend?: string
}

export const goodFinding = (about: string, says: string): Finding => ({ about, state: 'good', says })
export const warningFinding = (about: string, says: string, mend: string): Finding => ({ about, state: 'warning', says, mend })
export const badFinding = (about: string, says: string, mend: string): Finding => ({ about, state: 'bad', says, mend })
