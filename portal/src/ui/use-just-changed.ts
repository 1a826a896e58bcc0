import { useEffect, useState } from 'react'

const VISIBLE_MS = 2_500

/** True for `VISIBLE_MS` after `value` changes to something other than undefined. */
export const useJustChanged = (value: unknown): boolean => {
  const [expired, setExpired] = useState<unknown>(undefined)
  useEffect(() => {
    if (value === undefined) return undefined
    const timer = setTimeout(() => setExpired(value), VISIBLE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return value !== undefined && expired !== value
}
