import type { DownloadedFile } from './call-api.ts'

/** Long enough for any browser to start saving the file. */
const URL_LIFETIME_MS = 60_000

/** A file that the browser was told to save. */
export interface SavedFile {
  readonly name: string
  readonly bytes: number
}

/** Makes the browser save a file among its downloads, under the server's name, or under `fallbackName` without one. */
export const saveFile = ({ blob, name }: DownloadedFile, fallbackName: string): SavedFile => {
  const link = document.createElement('a')
  link.href = createTemporaryUrl(blob)
  link.download = name || fallbackName
  link.click()
  return { name: link.download, bytes: blob.size }
}

/**
 * Opens a tab for a file that is still loading. Call it in the click handler itself: browsers block tabs opened later.
 * @returns null when the browser blocks new tabs
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

/** Shows a file in a tab of `openWaitingTab`. */
export const showFileIn = (tab: Window, { blob }: DownloadedFile): void => tab.location.replace(createTemporaryUrl(blob))

/** A blob URL of the file, in this page's memory, revoked after `URL_LIFETIME_MS`. */
const createTemporaryUrl = (blob: Blob): string => {
  const url = URL.createObjectURL(blob)
  setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS)
  return url
}
