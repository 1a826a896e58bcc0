import { useState } from 'react'

/** `{ [grid]: keys of hidden columns }`. Only hidden columns are stored, so a column of a later version is shown. */
const STORAGE_KEY = 'hidden_columns'

/** The columns of a grid that were switched off in this browser, and a function that changes and stores them. */
export const useHiddenColumns = (grid: string): readonly [ReadonlySet<string>, (keys: ReadonlySet<string>) => void] => {
  const [hidden, setHidden] = useState(() => readHiddenColumns(grid))
  const store = (keys: ReadonlySet<string>): void => {
    setHidden(keys)
    writeHiddenColumns(grid, keys)
  }
  return [hidden, store]
}

/** The stored keys of a grid's hidden columns. Some may be of columns that the grid does not have at the moment. */
export const readHiddenColumns = (grid: string): ReadonlySet<string> => {
  const keys = readStored()[grid]
  return new Set(Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [])
}

/** Stores the keys of a grid's hidden columns. */
export const writeHiddenColumns = (grid: string, keys: ReadonlySet<string>): void => {
  const { [grid]: _, ...others } = readStored()
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(keys.size === 0 ? others : { ...others, [grid]: [...keys] }))
  } catch {
    // Without storage the choice holds until the page is left.
  }
}

const readStored = (): Readonly<Record<string, unknown>> => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
