import { OperatorError } from '../../kit/api-error.ts'
import type { ImportFile } from '../staging/run-import.ts'

/** A file of an export. It is opened twice: to check it, then to load it. */
export interface FocusFile extends ImportFile {
  /** Named in messages where an export has several files. */
  readonly name?: string
}

/** The length of all files in bytes; null when one is unknown. */
export const totalBytes = (parts: readonly FocusFile[]): number | null =>
  parts.reduce<number | null>((sum, { bytes }) => (sum === null || bytes === null ? null : sum + bytes), 0)

/** The name of a part in messages; nothing where an export is one file. */
export const partName = (parts: readonly FocusFile[], { name }: FocusFile): string | undefined => (parts.length > 1 ? name : undefined)

/** Does something with each part, one after the other. @throws OperatorError that names the part in which something is wrong */
export const forEachPart = async (parts: readonly FocusFile[], work: (part: FocusFile) => Promise<void>): Promise<void> => {
  for (const part of parts)
    await work(part).catch((error: unknown) => {
      const name = partName(parts, part)
      if (error instanceof OperatorError && name !== undefined) throw new OperatorError(`${name}: ${error.message}`, { cause: error })
      throw error
    })
}
