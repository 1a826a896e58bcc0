/** One finding of `counterfoil doctor`. */
export interface Finding {
  readonly about: string
  readonly state: 'good' | 'warning' | 'bad'
  readonly says: string
  /** How to fix it; absent when the state is good. */
  readonly mend?: string
}

export const goodFinding = (about: string, says: string): Finding => ({ about, state: 'good', says })
export const warningFinding = (about: string, says: string, mend: string): Finding => ({ about, state: 'warning', says, mend })
export const badFinding = (about: string, says: string, mend: string): Finding => ({ about, state: 'bad', says, mend })
