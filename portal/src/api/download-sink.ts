import { saveFile } from './save-file.ts'

/** Receives the chunks of a download. The file exists only after `finish`. */
export interface DownloadSink {
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void>
  /** Saves the file and returns its name. */
  finish(name: string): Promise<string>
  /** Discards what was written. */
  discard(): Promise<void>
}

/** Chunks are merged into blobs of this size, because browsers can keep blobs on disk. */
const BLOB_BYTES = 8_000_000

/** A sink in memory that saves the file among the browser's downloads. */
export const createMemorySink = (type: string): DownloadSink => {
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
      saveFile({ blob: new Blob([...blobs, ...chunks], { type }), name }, name)
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
  /** Missing in some browsers that support file picking. */
  remove?(): Promise<void>
}

type FilePickerWindow = typeof globalThis & { showSaveFilePicker?(options: object): Promise<PickedFile> }

/**
 * A sink that writes to a file the person picks. The file is complete or it is removed.
 * @param type its media type, and `ending` what its name ends with, such as ".csv"
 * @returns undefined when the browser has no file picker, or its picker fails
 * @throws DOMException AbortError when the person closes the picker
 */
export const createFileSink = async (suggestedName: string, type: string, ending: string): Promise<DownloadSink | undefined> => {
  const pickerWindow: FilePickerWindow = globalThis
  const file = await pickerWindow.showSaveFilePicker?.({ suggestedName, types: [{ accept: { [type]: [ending] } }] }).catch(rethrowAbort)
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
      // Picking a file creates an empty one.
      await file.remove?.().catch(() => undefined)
    },
  }
}

/** A rejection handler: rethrows that the person closed the picker, and turns any other failure into undefined. */
const rethrowAbort = (failure: unknown): undefined => {
  if (failure instanceof DOMException && failure.name === 'AbortError') throw failure
  return undefined
}
