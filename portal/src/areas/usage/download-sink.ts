import { saveFile } from '../../api/save-file.ts'

/** Where a download is kept while it comes, and becomes a file only at its end. */
export interface Keep {
  add(piece: Uint8Array<ArrayBuffer>): Promise<void>
  /** Makes it a file, and gives the name that the file has. */
  done(name: string): Promise<string>
  /** Forgets it. */
  drop(): Promise<void>
}

const TYPE = 'text/csv'

/** Pieces become a blob of this size: browsers move blobs out of the page's memory, and later onto the disk. */
const BLOB_BYTES = 8_000_000

/** Keeps a download with the browser, and saves it under the server's name among the downloads. */
export const keepInMemory = (): Keep => {
  let blobs: Blob[] = []
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  return {
    add: async (piece) => {
      pieces.push(piece)
      bytes += piece.byteLength
      if (bytes < BLOB_BYTES) return
      blobs.push(new Blob(pieces))
      pieces = []
      bytes = 0
    },
    done: async (name) => {
      saveFile({ blob: new Blob([...blobs, ...pieces], { type: TYPE }), name }, name)
      return name
    },
    drop: async () => {
      blobs = []
      pieces = []
    },
  }
}

interface PickedFile {
  readonly name: string
  createWritable(): Promise<WritableStream<Uint8Array<ArrayBuffer>>>
  /** Not in every browser that can pick a file. */
  remove?(): Promise<void>
}

type FilePicking = typeof globalThis & { showSaveFilePicker?(options: object): Promise<PickedFile> }

/**
 * Asks the person for a place, and writes the download there as it comes; the file is whole or it is not there.
 * @returns undefined where the browser cannot do that
 * @throws DOMException AbortError when the person chooses no place
 */
export const keepAsFile = async (suggestedName: string): Promise<Keep | undefined> => {
  const picking: FilePicking = globalThis
  const file = await picking.showSaveFilePicker?.({ suggestedName, types: [{ accept: { [TYPE]: ['.csv'] } }] }).catch(unlessDismissed)
  if (file === undefined) return undefined
  const writer = (await file.createWritable()).getWriter()
  return {
    add: (piece) => writer.write(piece),
    done: async () => {
      await writer.close()
      return file.name
    },
    drop: async () => {
      await writer.abort().catch(() => undefined)
      // Picking a place has made an empty file there.
      await file.remove?.().catch(() => undefined)
    },
  }
}

const unlessDismissed = (failure: unknown): undefined => {
  if (failure instanceof DOMException && failure.name === 'AbortError') throw failure
  return undefined
}
