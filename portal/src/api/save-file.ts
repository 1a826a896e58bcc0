import type { DownloadedFile } from './call-api.ts'

/** Long enough for any browser to have taken the file over. */
const URL_LIFETIME_MS = 60_000

/** Saves a file under the server's name, or under another where it gave none. */
export const saveFile = ({ blob, name }: DownloadedFile, fallbackName: string): void => {
  const link = document.createElement('a')
  link.href = createObjectUrl(blob)
  link.download = name || fallbackName
  link.click()
}

/**
 * A new tab that waits for a file. It must be made in the very press that asks for it, for browsers refuse later ones.
 * @returns null where the browser refuses new tabs
 */
export const openWaitingTab = (message: string): Window | null => {
  const tab = open('', '_blank')
  if (tab !== null) {
    tab.opener = null
    tab.document.title = message
    tab.document.body.textContent = message
  }
  return tab
}

/** Shows a file in a waiting tab. */
export const showFileIn = (tab: Window, { blob }: DownloadedFile): void => tab.location.replace(createObjectUrl(blob))

const createObjectUrl = (blob: Blob): string => {
  const url = URL.createObjectURL(blob)
  setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS)
  return url
}
