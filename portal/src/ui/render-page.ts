import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

const FAILED = 'This page could not be shown. Load it again; if that does not help, contact support.'

/** Shows a page in the document's root element: one that cannot be drawn as a sentence, and its error on the console. */
export const renderPage = (page: ReactNode): void => {
  const root = document.getElementById('root')
  if (root === null) return
  const onUncaughtError = (error: unknown): void => {
    console.error(error)
    root.textContent = FAILED
  }
  createRoot(root, { onUncaughtError }).render(page)
}
