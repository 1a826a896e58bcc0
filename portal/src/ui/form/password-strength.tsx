import { useEffect, useState } from 'react'
import { type PasswordScore, passwordEstimator, passwordScore } from './password-score.ts'
import styles from './password-strength.module.css'

/** The meter's words by score (portal.md §2, Change Password). */
const WORDS = ['Weak', 'Weak', 'Decent', 'Strong', 'Great'] as const
const TOO_SHORT = 'Bad'
const STEPS = [1, 2, 3, 4] as const

export interface PasswordStrengthProps {
  password: string
  /** Shorter ones are Bad without a look. */
  minLength: number
  /** Lower scores are shown as not good enough. */
  minScore: number
}

/** How hard the password is to guess, as four steps and one word. Keeps its place while there is nothing to say. */
export const PasswordStrength = ({ password, minLength, minScore }: PasswordStrengthProps) => {
  const score = useScore(password)
  const isShort = password.length < minLength
  const word = password === '' ? '' : isShort ? TOO_SHORT : score === null ? '' : WORDS[score]
  const filled = password === '' ? 0 : isShort || score === null ? 1 : Math.max(1, score)
  const isEnough = !isShort && score !== null && score >= minScore

  return (
    <div className={styles.strength} data-enough={isEnough}>
      <div className={styles.steps} aria-hidden="true">
        {STEPS.map((step) => (
          <span key={step} className={styles.step} data-filled={step <= filled || undefined} />
        ))}
      </div>
      <output className={styles.word} aria-label="Password strength">
        {word}
      </output>
    </div>
  )
}

const useScore = (password: string): PasswordScore | null => {
  const [scored, setScored] = useState<{ password: string; score: PasswordScore } | null>(null)

  useEffect(() => {
    passwordEstimator().catch(console.error)
  }, [])

  useEffect(() => {
    let isStale = false
    const show = (score: PasswordScore): void => {
      if (!isStale) setScored({ password, score })
    }
    if (password !== '') passwordScore(password).then(show, console.error)
    return () => {
      isStale = true
    }
  }, [password])

  // Between two letters the last word stays, so that nothing flickers.
  return scored?.score ?? null
}
