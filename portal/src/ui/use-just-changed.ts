import { useEffect, useState } from 'react'

const VISIBLE_MS = 2_500

/** True for a moment after `event` becomes another thing than undefined: long enough to see that something is done. */
export const useJustChanged = (value: unknown): boolean => {
  const [expired, setExpired] = useState<unknown>(undefined)
  useEffect(() => {
    if (value === undefined) return undefined
    const timer = setTimeout(() => setExpired(value), VISIBLE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return value !== undefined && expired !== value
}
