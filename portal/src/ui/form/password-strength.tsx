import { useEffect, useState } from 'react'
import { type PasswordScore, scorePassword } from './password-score.ts'
import styles from './password-strength.module.css'

/** The label of each score. */
const SCORE_LABELS = ['Weak', 'Weak', 'Decent', 'Strong', 'Great'] as const
const TOO_SHORT = 'Bad'
const STEPS = [1, 2, 3, 4] as const

export interface PasswordStrengthProps {
  password: string
  /** Shorter passwords are "Bad" without a score. */
  minLength: number
  /** Lower scores are shown as not strong enough. */
  minScore: number
}

/** A meter of the password's strength: four steps and a label. It takes the same space while it is empty. */
export const PasswordStrength = ({ password, minLength, minScore }: PasswordStrengthProps) => {
  const score = usePasswordScore(password)
  const isTooShort = password.length < minLength
  const label = password === '' ? '' : isTooShort ? TOO_SHORT : score === null ? '' : SCORE_LABELS[score]
  const filled = password === '' ? 0 : isTooShort || score === null ? 1 : Math.max(1, score)
  const isStrongEnough = !isTooShort && score !== null && score >= minScore

  return (
    <div className={styles.strength} data-enough={isStrongEnough}>
      <div className={styles.steps} aria-hidden="true">
        {STEPS.map((step) => (
          <span key={step} className={styles.step} data-filled={step <= filled || undefined} />
        ))}
      </div>
      <output className={styles.word} aria-label="Password strength">
        {label}
      </output>
    </div>
  )
}

/** The last score that was computed, of an earlier password while that of this one is on its way; null before the first. */
const usePasswordScore = (password: string): PasswordScore | null => {
  const [result, setResult] = useState<{ password: string; score: PasswordScore } | null>(null)

  useEffect(() => {
    let isStale = false
    const showScore = (score: PasswordScore): void => {
      if (!isStale) setResult({ password, score })
    }
    if (password !== '') scorePassword(password).then(showScore, console.error)
    return () => {
      isStale = true
    }
  }, [password])

  // Keep the last score while the next one is computed, so that nothing flickers.
  return result?.score ?? null
}
