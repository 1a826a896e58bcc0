import { saveFile } from '../../api/save-file.ts'

/** Where a download is kept while it comes, and becomes a file only at its end. */
export interface DownloadSink {
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void>
  /** Makes it a file, and gives the name that the file has. */
  finish(name: string): Promise<string>
  /** Forgets it. */
  discard(): Promise<void>
}

const CSV_TYPE = 'text/csv'

/** Pieces become a blob of this size: browsers move blobs out of the page's memory, and later onto the disk. */
const BLOB_BYTES = 8_000_000

/** Keeps a download with the browser, and saves it under the server's name among the downloads. */
export const createMemorySink = (): DownloadSink => {
  let blobs: Blob[] = []
  let chunks: Uint8Array<ArrayBuffer>[] = []
  let bufferedBytes = 0
  return {
    write: async (chunk) => {
      chunks.push(chunk)
      bufferedBytes += chunk.byteLength
      if (bufferedBytes < BLOB_BYTES) return
      blobs.push(new Blob(chunks))
      chunks = []
      bufferedBytes = 0
    },
    finish: async (name) => {
      saveFile({ blob: new Blob([...blobs, ...chunks], { type: CSV_TYPE }), name }, name)
      return name
    },
    discard: async () => {
      blobs = []
      chunks = []
    },
  }
}

interface PickedFile {
  readonly name: string
  createWritable(): Promise<WritableStream<Uint8Array<ArrayBuffer>>>
  /** Not in every browser that can pick a file. */
  remove?(): Promise<void>
}

type FilePickerWindow = typeof globalThis & { showSaveFilePicker?(options: object): Promise<PickedFile> }

/**
 * Asks the person for a place, and writes the download there as it comes; the file is whole or it is not there.
 * @returns undefined where the browser cannot do that
 * @throws DOMException AbortError when the person chooses no place
 */
export const createFileSink = async (suggestedName: string): Promise<DownloadSink | undefined> => {
  const pickerWindow: FilePickerWindow = globalThis
  const file = await pickerWindow.showSaveFilePicker?.({ suggestedName, types: [{ accept: { [CSV_TYPE]: ['.csv'] } }] }).catch(rethrowAbort)
  if (file === undefined) return undefined
  const writer = (await file.createWritable()).getWriter()
  return {
    write: (chunk) => writer.write(chunk),
    finish: async () => {
      await writer.close()
      return file.name
    },
    discard: async () => {
      await writer.abort().catch(() => undefined)
      // Picking a place has made an empty file there.
      await file.remove?.().catch(() => undefined)
    },
  }
}

const rethrowAbort = (failure: unknown): undefined => {
  if (failure instanceof DOMException && failure.name === 'AbortError') throw failure
  return undefined
}
