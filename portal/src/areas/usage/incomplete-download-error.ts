/** The progress of a download. */
export interface DownloadProgress {
  readonly rows: number
  /** The number of rows that the server has announced. */
  readonly total: number
}

/** The file is incomplete or has more rows than announced. Nothing was saved. */
export class IncompleteDownloadError extends Error {
  readonly progress: DownloadProgress

  constructor(progress: DownloadProgress, cause?: unknown) {
    super(`the download broke off after ${progress.rows} of ${progress.total} rows`, { cause })
    this.name = 'IncompleteDownloadError'
    this.progress = progress
  }
}
