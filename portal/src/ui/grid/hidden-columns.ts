import { useState } from 'react'

/** `{ [grid]: keys of hidden columns }`. Only hidden columns are stored, so a column of a later version is shown. */
const STORAGE_KEY = 'hidden_columns'

/** The keys of the grid's columns that were switched off, from the local storage, and a function that changes and stores them. */
export const useHiddenColumns = (grid: string): readonly [ReadonlySet<string>, (keys: ReadonlySet<string>) => void] => {
  const [hidden, setHidden] = useState(() => readHiddenColumns(grid))
  const store = (keys: ReadonlySet<string>): void => {
    setHidden(keys)
    writeHiddenColumns(grid, keys)
  }
  return [hidden, store]
}

/** The keys of a grid's hidden columns in the local storage. Some may be of columns that the grid does not have at the moment. */
export const readHiddenColumns = (grid: string): ReadonlySet<string> => {
  const keys = readStored()[grid]
  return new Set(Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [])
}

/** Stores the keys of a grid's hidden columns in the local storage. Never throws, also where storage is blocked. */
export const writeHiddenColumns = (grid: string, keys: ReadonlySet<string>): void => {
  const { [grid]: _, ...others } = readStored()
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(keys.size === 0 ? others : { ...others, [grid]: [...keys] }))
  } catch {
    // Without storage the choice holds until the page is left.
  }
}

/** The hidden columns of all grids in the local storage; empty where nothing can be read. */
const readStored = (): Readonly<Record<string, unknown>> => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
