import type { AnsweredFile } from './call-api.ts'

/** Long enough for any browser to have taken the file over. */
const KEPT_MS = 60_000

/** Saves a file under the server's name, or under another where it gave none. */
export const saveFile = ({ blob, name }: AnsweredFile, otherwise: string): void => {
  const link = document.createElement('a')
  link.href = addressFor(blob)
  link.download = name || otherwise
  link.click()
}

/**
 * A new tab that waits for a file. It must be made in the very press that asks for it, for browsers refuse later ones.
 * @returns null where the browser refuses new tabs
 */
export const waitingTab = (message: string): Window | null => {
  const tab = open('', '_blank')
  if (tab !== null) {
    tab.opener = null
    tab.document.title = message
    tab.document.body.textContent = message
  }
  return tab
}

/** Shows a file in a waiting tab. */
export const showIn = (tab: Window, { blob }: AnsweredFile): void => tab.location.replace(addressFor(blob))

const addressFor = (blob: Blob): string => {
  const address = URL.createObjectURL(blob)
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS)
  return address
}
